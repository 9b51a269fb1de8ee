import { describe, expect, it } from "vitest";
import { MediaUrl, readMediaLink } from "#core/text/media-link";

const VIDEO = "dQw4w9WgXcQ";
const PREVIEW = `https://i.ytimg.com/vi/${VIDEO}/hqdefault.jpg`;

describe("a link to media", () => {
  it.each([
    [`https://youtube.com/watch?v=${VIDEO}`, "youtube", PREVIEW],
    [`https://www.youtube.com/watch?list=PL1&v=${VIDEO}#t=3`, "youtube", PREVIEW],
    [`https://m.youtube.com/watch?v=${VIDEO}`, "youtube", PREVIEW],
    [`https://music.youtube.com/watch?v=${VIDEO}`, "youtube", PREVIEW],
    [`https://youtu.be/${VIDEO}?si=share`, "youtube", PREVIEW],
    [`https://www.youtube.com/shorts/${VIDEO}`, "youtube", PREVIEW],
    [`https://www.youtube.com/embed/${VIDEO}`, "youtube", PREVIEW],
    [`https://www.youtube.com/live/${VIDEO}/`, "youtube", PREVIEW],
    ["https://www.youtube.com/playlist?list=PL1", "youtube", null],
    ["https://www.youtube.com/@channel", "youtube", null],
    ["https://www.youtube.com/watch?v=../../evil", "youtube", null],
    [`https://www.youtube.com/watch?v=${VIDEO}x`, "youtube", null],
    [`https://www.youtube-nocookie.com/embed/${VIDEO}`, "youtube", PREVIEW],
    ["https://vimeo.com/22439234", "vimeo", null],
    ["https://player.vimeo.com/video/22439234", "vimeo", null],
    ["https://open.spotify.com/track/29U7stRjqHU6rMiS8BfaI9", "spotify", null],
    ["https://spotify.link/abc", "spotify", null],
    ["https://w.soundcloud.com/player/?url=x", "soundcloud", null],
    ["https://soundcloud.com/nasa", "soundcloud", null],
    ["https://on.soundcloud.com/abc", "soundcloud", null],
    ["https://m.soundcloud.com/nasa", "soundcloud", null],
  ])("is %s", (url, type, thumbnail) => {
    expect(readMediaLink(url)).toEqual({ type, url, thumbnail });
  });

  it.each([
    "",
    "youtube",
    "//youtube.com/watch",
    "http://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "javascript://youtube.com/%0aalert(1)",
    "https://youtube.com.example/watch?v=dQw4w9WgXcQ",
    "https://notyoutube.com/watch?v=dQw4w9WgXcQ",
    "https://youtube.com@example.com/",
    "https://user@youtube.com/",
    "https://:secret@youtube.com/",
    "https://youtube.com:8443/",
    "https://youtube.com./",
    "https://api.spotify.com/v1/me",
    "https://accounts.spotify.com/",
    "https://evil.soundcloud.com/",
    "https://example.com/?https://youtu.be/dQw4w9WgXcQ",
    "https://example.com\\@youtube.com/",
  ])("is not %s", (address) => {
    expect(readMediaLink(address)).toBeNull();
    expect(MediaUrl.safeParse(address).success).toBe(false);
  });

  it("is stored as a URL parser writes it, so that other programs cannot understand it differently", () => {
    expect(MediaUrl.parse(" HTTPS://YouTube.com:443/watch?v=dQw4w9WgXcQ ").url).toBe(
      "https://youtube.com/watch?v=dQw4w9WgXcQ",
    );
    expect(MediaUrl.parse("https:\\\\vimeo.com\\1").url).toBe("https://vimeo.com/1");
    expect(MediaUrl.parse("https://vimeo.com/\t1").url).toBe("https://vimeo.com/1");
    expect(MediaUrl.parse('https://vimeo.com/"<script>').url).toBe("https://vimeo.com/%22%3Cscript%3E");
  });

  it("has at most 2,048 characters as it is stored", () => {
    const longest = `https://vimeo.com/${"x".repeat(2030)}`;
    expect(MediaUrl.safeParse(longest).success).toBe(true);
    expect(MediaUrl.safeParse(`${longest}x`).success).toBe(false);
    expect(MediaUrl.safeParse(`https://vimeo.com/${"é".repeat(1000)}`).success).toBe(false);
  });
});
