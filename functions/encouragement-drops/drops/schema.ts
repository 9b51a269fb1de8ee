import { HttpsLink } from "@nectar/core/links";
import { MEDIA_TYPES, MediaUrl } from "@nectar/core/media-link";
import { text } from "@nectar/core/text";
import { Uuid } from "@nectar/core/uuid";
import { atLeastOneField } from "@nectar/http/at-least-one-field";
import { NextCursor, pageFields, UnreadField } from "@nectar/http/paging";
import { z } from "zod";
import { Badge } from "../badges/schema.ts";

const Timestamp = z.iso.datetime({ precision: 3 });
const Flag = z
  .enum(["true", "false"])
  .transform((value) => value === "true")
  .optional()
  .meta({ type: "string", enum: ["true", "false"] });
const Content = text({ max: 500 });

/** What a drop brings: somebody's words, a link to media, or a fact. */
export const DropType = z.enum(["encouragement", "media", "science_tidbit"]);
const Media = z.enum(MEDIA_TYPES).nullable();

const Sender = z
  .object({
    id: z.guid(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_assistant: z.boolean().meta({ description: "Whether the assistant wrote it and no person." }),
  })
  .meta({ id: "DropSender" });

/** A drop as its two sides see it. */
export const EncouragementDrop = z
  .object({
    id: z.guid(),
    sender_id: z.guid(),
    sender: Sender,
    recipient_id: z.guid(),
    drop_type: DropType,
    is_custom: z.boolean().meta({ description: "Whether the words are the sender's own." }),
    template_id: z
      .guid()
      .nullable()
      .meta({ description: "The template it was sent with; null if there was none or it was deleted." }),
    title: z.string().nullable(),
    content: z.string(),
    media_type: Media,
    media_url: z.string().nullable(),
    thumbnail_url: z.string().nullable(),
    date_sent: z.iso.date().meta({ description: "By the UTC calendar." }),
    created_at: Timestamp,
    read_at: Timestamp.nullable(),
    entry_id: z.guid().nullable().meta({ description: "The entry that the drop is about." }),
  })
  .meta({ id: "EncouragementDrop" });
export type EncouragementDrop = z.infer<typeof EncouragementDrop>;

const Recipient = z
  .object({
    id: z.guid(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_ai: z.boolean(),
  })
  .meta({ id: "DropRecipient" });

/** A drop as its sender sees it later. It does not say whether the recipient has read it. */
export const SentDrop = EncouragementDrop.omit({ read_at: true })
  .extend({
    recipient: Recipient,
    engagement: z.enum(["open", "engaged", "none"]).meta({
      description:
        "open: an entry of the recipient may still count. engaged: one did. none: none came in time, or the drop cannot " +
        "earn anything.",
    }),
    engaged_at: Timestamp.nullable().meta({ description: "When the engagement was counted; null unless engaged." }),
    bonus_drops_awarded: z.int().meta({ description: "What the drop added to your allowance." }),
  })
  .meta({ id: "SentEncouragementDrop" });
export type SentDrop = z.infer<typeof SentDrop>;

/** What a person may still send today. */
export const Allowance = z
  .object({
    date: z.iso.date().meta({ description: "Today by the UTC calendar." }),
    daily_allowance: z.int(),
    drops_used: z.int(),
    bonus_drops_earned: z.int().meta({ description: "Earned today, and what was left of yesterday's." }),
    total_available: z.int().meta({ description: "Allowance and bonus without what is used, never below 0." }),
    custom_drops_used: z.int(),
    max_custom_drops_per_day: z.int(),
    resets_at: Timestamp.meta({ description: "The next midnight, UTC." }),
  })
  .meta({ id: "DropAllowance" });
export type Allowance = z.infer<typeof Allowance>;

/** The body that sends a drop: a template, or words of one's own. */
export const NewDrop = z
  .object({
    recipient_id: Uuid,
    drop_type: DropType.optional().meta({
      description: "That of the template, else encouragement, unless it is given.",
    }),
    template_id: Uuid.nullish(),
    content: Content.nullish().meta({ description: "Words of one's own; they count against their own limit too." }),
    media_url: MediaUrl.nullish().meta({
      description: "With content and drop_type media: https on YouTube, Vimeo, Spotify or SoundCloud.",
    }),
    entry_id: Uuid.nullish().meta({ description: "An entry that the sender sees and the drop is about." }),
  })
  .check((context) => {
    const { drop_type, template_id, content, media_url } = context.value;
    const complain = (path: string, message: string) =>
      context.issues.push({ code: "custom", path: [path], message, input: context.value });
    if ((template_id ?? null) === null) {
      if ((content ?? null) === null) complain("content", "must be given, or template_id");
      if (drop_type === "media" && (media_url ?? null) === null) complain("media_url", "must be given with media");
      if (drop_type !== "media" && (media_url ?? null) !== null) complain("media_url", "is only for media");
    } else {
      if ((content ?? null) !== null) complain("content", "must not be given with template_id");
      if ((media_url ?? null) !== null) complain("media_url", "must not be given with template_id");
    }
  })
  .meta({ id: "NewEncouragementDrop" });
export type NewDrop = z.output<typeof NewDrop>;

/** The query of the drops that one received. */
export const ReceivedQuery = z.object({ ...pageFields(), unread: UnreadField });
export type ReceivedQuery = z.output<typeof ReceivedQuery>;

/** The query of the drops that one sent. */
export const SentQuery = z.object(pageFields());
export type SentQuery = z.output<typeof SentQuery>;

/** A drop that is ready to be sent. */
export const DropTemplate = z
  .object({
    id: z.guid(),
    type: DropType,
    title: z.string(),
    content: z.string(),
    media_type: Media,
    media_url: z.string().nullable(),
    thumbnail_url: z.string().nullable(),
    is_approved: z.boolean(),
    usage_count: z.int().meta({ description: "How often it was sent." }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "DropTemplate" });
export type DropTemplate = z.infer<typeof DropTemplate>;

/** The query of the templates that everybody may use. */
export const TemplateQuery = z.object({ ...pageFields(), type: DropType.optional() });
export type TemplateQuery = z.output<typeof TemplateQuery>;

/** The query of all templates. */
export const AdminTemplateQuery = z.object({
  ...pageFields({ default: 50, max: 500 }),
  type: DropType.optional(),
  is_approved: Flag,
});
export type AdminTemplateQuery = z.output<typeof AdminTemplateQuery>;

const Title = text({ max: 100 });
const TemplateThumbnail = HttpsLink.nullish().meta({
  description:
    "https address of a preview image for media. If it is absent or null, a link to a single YouTube video gets the preview of that video.",
});

/** The body that creates a template. */
export const NewTemplate = z
  .object({
    type: DropType,
    title: Title,
    content: Content,
    media_url: MediaUrl.nullish().meta({ description: "For media, and only then." }),
    thumbnail_url: TemplateThumbnail,
    is_approved: z.boolean().default(false),
  })
  .check((context) => {
    const { type, media_url, thumbnail_url } = context.value;
    const problems = mediaProblems({
      type,
      hasLink: (media_url ?? null) !== null,
      hasThumbnail: (thumbnail_url ?? null) !== null,
    });
    for (const { path, message } of problems) {
      context.issues.push({ code: "custom", path: [path], message, input: context.value });
    }
  })
  .meta({ id: "NewDropTemplate" });
export type NewTemplate = z.output<typeof NewTemplate>;

/** The body that changes a template. */
export const TemplateUpdate = atLeastOneField(
  z.object({
    type: DropType.optional(),
    title: Title.optional(),
    content: Content.optional(),
    media_url: MediaUrl.nullish(),
    thumbnail_url: TemplateThumbnail,
    is_approved: z.boolean().optional(),
  }),
).meta({ id: "DropTemplateUpdate" });
export type TemplateUpdate = z.output<typeof TemplateUpdate>;

/** What is wrong with the type, link and own thumbnail of a template together. */
export function mediaProblems({ type, hasLink, hasThumbnail }: MediaParts): { path: string; message: string }[] {
  if (type === "media") return hasLink ? [] : [{ path: "media_url", message: "must be given with media" }];
  const message = "is only for media";
  return [
    ...(hasLink ? [{ path: "media_url", message }] : []),
    ...(hasThumbnail ? [{ path: "thumbnail_url", message }] : []),
  ];
}

interface MediaParts {
  readonly type: z.output<typeof DropType>;
  readonly hasLink: boolean;
  readonly hasThumbnail: boolean;
}

const ConfigFields = {
  daily_allowance: z.int().min(0).max(100).meta({ description: "Drops that everybody may send each day." }),
  bonus_drops_per_engagement: z.int().min(0).max(100).meta({ description: "Drops that a success earns its sender." }),
  engagement_window_hours: z.int().min(1).max(168).meta({ description: "How long after a drop an entry counts." }),
  max_custom_drops_per_day: z.int().min(0).max(100).meta({ description: "Drops a day with words of one's own." }),
};

/** The rules of the day. */
export const DropConfig = z.object(ConfigFields).meta({ id: "DropConfig" });
export type DropConfig = z.infer<typeof DropConfig>;

/** The body that changes the rules. */
export const DropConfigUpdate = atLeastOneField(z.object(ConfigFields).partial()).meta({ id: "DropConfigUpdate" });
export type DropConfigUpdate = z.output<typeof DropConfigUpdate>;

export const DropResponse = z.object({ drop: EncouragementDrop });
export const SentResponse = z.object({ drop: EncouragementDrop, allowance: Allowance, badge: Badge });
export const ReceivedResponse = z.object({
  drops: z.array(EncouragementDrop),
  unread_count: z.int().meta({ description: "Of all drops that one received." }),
  next_cursor: NextCursor,
});
export const SentDropsResponse = z.object({ drops: z.array(SentDrop), next_cursor: NextCursor });
export const TemplateResponse = z.object({ template: DropTemplate });
export const TemplatesResponse = z.object({ templates: z.array(DropTemplate), next_cursor: NextCursor });
export const ConfigResponse = z.object({ config: DropConfig });
