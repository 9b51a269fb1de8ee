import * as z from "zod";
import type { Enum } from "../enums.generated.ts";
import { LENGTHS } from "../lengths.generated.ts";

export type MediaType = Enum<"media_type">;

/** Complete host names, not endings: `youtube.com.example` belongs to another site. */
const HOSTS: ReadonlyMap<string, MediaType> = new Map([
  ["youtube.com", "youtube"],
  ["www.youtube.com", "youtube"],
  ["m.youtube.com", "youtube"],
  ["music.youtube.com", "youtube"],
  ["youtu.be", "youtube"],
  ["www.youtube-nocookie.com", "youtube"],
  ["vimeo.com", "vimeo"],
  ["player.vimeo.com", "vimeo"],
  ["open.spotify.com", "spotify"],
  ["spotify.link", "spotify"],
  ["soundcloud.com", "soundcloud"],
  ["on.soundcloud.com", "soundcloud"],
  ["m.soundcloud.com", "soundcloud"],
  ["w.soundcloud.com", "soundcloud"],
]);

/** Facts that follow from a link alone, without a request to the service. */
export interface MediaLink {
  readonly type: MediaType;
  /** The address as a URL parser writes it, so that what was checked is what is stored. */
  readonly url: string;
  /** Address of a preview image; only YouTube's can be derived from the link. */
  readonly thumbnail: string | null;
}

/** Reads a link to media: https, on one of the services, without a login or port. Null for any other address. */
export function readMediaLink(address: string): MediaLink | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const type = HOSTS.get(url.hostname);
  if (type === undefined || url.protocol !== "https:" || url.port !== "") return null;
  if (url.username !== "" || url.password !== "") return null;
  const video = type === "youtube" ? youtubeVideo(url) : null;
  return {
    type,
    url: url.href,
    thumbnail: video === null ? null : `https://i.ytimg.com/vi/${video}/hqdefault.jpg`,
  };
}

const { max: maxLength } = LENGTHS.encouragement_drops.media_url;

/** The address of media on one of the services. It is stored and never fetched. */
export const MediaUrl = z
  .string()
  .trim()
  .transform((address, context): MediaLink => {
    const link = readMediaLink(address);
    if (link !== null && link.url.length <= maxLength) return link;
    context.addIssue({ code: "custom", message: "must be an https link to YouTube, Vimeo, Spotify or SoundCloud" });
    return z.NEVER;
  })
  .meta({ type: "string", format: "uri", maxLength });

/** The video id in a YouTube address; null for channels, playlists and so on. */
function youtubeVideo(url: URL): string | null {
  const [, first = "", second = ""] = url.pathname.split("/");
  const id =
    url.hostname === "youtu.be"
      ? first
      : first === "watch"
        ? url.searchParams.get("v")
        : ["shorts", "embed", "live", "v"].includes(first)
          ? second
          : null;
  return id !== null && /^[\w-]{11}$/.test(id) ? id : null;
}
