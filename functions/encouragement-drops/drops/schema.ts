import * as z from "zod";
import { ENUMS } from "#core/enums.generated";
import type { Issue } from "#core/errors";
import { LENGTHS } from "#core/lengths.generated";
import { HttpsLink } from "#core/text/links";
import { MediaUrl } from "#core/text/media-link";
import { text } from "#core/text/text";
import { Uuid } from "#core/text/uuid";
import { atLeastOneField } from "#http/request/at-least-one-field";
import { FlagField, NextCursor, pageFields, UnreadField } from "#http/response/paging";
import { Badge } from "../badges/schema.ts";

export const TemplateId = Uuid.meta({ description: "The id of the template." });
export const DropId = Uuid.meta({ description: "The id of the drop." });

const Timestamp = z.iso.datetime({ precision: 3 });
const Content = text(LENGTHS.encouragement_drops.content);

/** A field that may be null or left out, which is the same. */
function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? null);
}

/** A drop has words of encouragement, a link to media, or a fact from science. */
const DropType = z.enum(ENUMS.encouragement_drop_type);
const Media = z.enum(ENUMS.media_type).nullable();

const Sender = z
  .object({
    id: z.guid(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_assistant: z.boolean().meta({ description: "true if the assistant sent it, false if a person did." }),
  })
  .meta({ id: "DropSender" });

/** A drop as its sender and its recipient see it. */
export const EncouragementDrop = z
  .object({
    id: z.guid(),
    sender_id: z.guid(),
    sender: Sender,
    recipient_id: z.guid(),
    drop_type: DropType,
    is_custom: z
      .boolean()
      .meta({ description: "true if the sender wrote the text, false if it comes from a template." }),
    template_id: z.guid().nullable().meta({ description: "null if no template was used, or if it was deleted since." }),
    title: z.string().nullable().meta({ description: "The title of the template, if it has one." }),
    content: z.string(),
    media_type: Media.meta({ description: "null unless drop_type is `media`." }),
    media_url: z.string().nullable().meta({ description: "null unless drop_type is `media`." }),
    thumbnail_url: z.string().nullable().meta({ description: "A preview image; null if there is none." }),
    date_sent: z.iso.date().meta({ description: "The UTC date." }),
    created_at: Timestamp,
    read_at: Timestamp.nullable().meta({ description: "null until the recipient has read it." }),
    entry_id: z.guid().nullable().meta({ description: "The journal entry that the drop is about; null if none." }),
    goal_id: z.guid().nullable().meta({ description: "The goal that the drop is about; null if none." }),
  })
  .meta({ id: "EncouragementDrop" });
export type EncouragementDrop = z.infer<typeof EncouragementDrop>;

const Recipient = z
  .object({
    id: z.guid(),
    full_name: z.string().nullable(),
    avatar_url: z.string().nullable(),
    is_ai: z.boolean().meta({ description: "Whether this is a synthetic user." }),
  })
  .meta({ id: "DropRecipient" });

/** A drop as its sender sees it later. It does not say whether the recipient has read it. */
export const SentDrop = EncouragementDrop.omit({ read_at: true })
  .extend({
    recipient: Recipient,
    engagement: z.enum(["open", "engaged", "none"]).meta({
      description:
        "open: the recipient may still write a journal entry that counts. engaged: they wrote one in time. none: they did not, or the drop cannot earn a bonus.",
    }),
    engaged_at: Timestamp.nullable().meta({
      description: "When the engagement was counted; null unless engagement is `engaged`.",
    }),
    bonus_drops_awarded: z.int().meta({ description: "Drops that were added to your allowance for it." }),
  })
  .meta({ id: "SentEncouragementDrop" });
export type SentDrop = z.infer<typeof SentDrop>;

/** How many drops a person can still send today. */
export const Allowance = z
  .object({
    date: z.iso.date().meta({ description: "The current UTC date." }),
    daily_allowance: z.int().meta({ description: "Drops that everyone can send each day." }),
    drops_used: z.int().meta({ description: "Drops that you sent today." }),
    bonus_drops_earned: z
      .int()
      .meta({ description: "Bonus drops that you earned today, plus those left over from yesterday." }),
    total_available: z.int().meta({
      description:
        "Drops that you can still send today: daily_allowance + bonus_drops_earned - drops_used, at least 0.",
    }),
    custom_drops_used: z.int().meta({ description: "Drops with your own text that you sent today." }),
    max_custom_drops_per_day: z.int(),
    resets_at: Timestamp.meta({ description: "The next midnight in UTC." }),
  })
  .meta({ id: "DropAllowance" });
export type Allowance = z.infer<typeof Allowance>;

/** The body that sends a drop: with a template, or with the sender's own text. */
export const NewDrop = z
  .object({
    recipient_id: Uuid,
    drop_type: DropType.optional().meta({
      description: "By default the type of the template, or `encouragement` if there is none.",
    }),
    template_id: orNull(Uuid).meta({ description: "Send either template_id or content." }),
    content: orNull(Content).meta({
      description: "Your own text. It also counts against max_custom_drops_per_day.",
    }),
    media_url: orNull(MediaUrl).meta({
      description:
        "An https link to YouTube, Vimeo, Spotify or SoundCloud. Required with content if drop_type is `media`.",
    }),
    entry_id: orNull(Uuid).meta({
      description: "A journal entry that the drop is about. You must be able to see it.",
    }),
    goal_id: orNull(Uuid).meta({ description: "A goal that the drop is about, instead of an entry." }),
  })
  .check((context) => {
    const { drop_type: type = "encouragement", template_id, content, media_url, entry_id, goal_id } = context.value;
    const hasLink = media_url !== null;
    if (entry_id !== null && goal_id !== null) {
      report(context, [{ path: "goal_id", message: "must not be given with entry_id" }]);
    }
    if (template_id === null) {
      if (content === null) report(context, [{ path: "content", message: "must be given, or template_id" }]);
      report(context, mediaIssues({ type, hasLink, hasThumbnail: false }));
    } else {
      const message = "must not be given with template_id";
      if (content !== null) report(context, [{ path: "content", message }]);
      if (hasLink) report(context, [{ path: "media_url", message }]);
    }
  })
  .meta({ id: "NewEncouragementDrop" });
export type NewDrop = z.output<typeof NewDrop>;

export const ReceivedQuery = z.object({ ...pageFields(), unread: UnreadField });
export type ReceivedQuery = z.output<typeof ReceivedQuery>;

/** A text that users can send as a drop. */
export const DropTemplate = z
  .object({
    id: z.guid(),
    type: DropType,
    title: z.string(),
    content: z.string(),
    media_type: Media.meta({ description: "null unless type is `media`." }),
    media_url: z.string().nullable().meta({ description: "null unless type is `media`." }),
    thumbnail_url: z.string().nullable().meta({ description: "A preview image; null if there is none." }),
    is_approved: z.boolean().meta({ description: "Users can only see and send approved templates." }),
    usage_count: z.int().meta({ description: "How many drops were sent with it." }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "DropTemplate" });
export type DropTemplate = z.infer<typeof DropTemplate>;

export const TemplateQuery = z.object({
  ...pageFields(),
  type: DropType.optional().meta({ description: "Only templates of this type." }),
});
export type TemplateQuery = z.output<typeof TemplateQuery>;

export const AdminTemplateQuery = z.object({
  ...pageFields({ default: 50, max: 500 }),
  type: DropType.optional().meta({ description: "Only templates of this type." }),
  is_approved: FlagField.meta({ description: "true: only approved templates; false: only others." }),
});
export type AdminTemplateQuery = z.output<typeof AdminTemplateQuery>;

const Title = text(LENGTHS.drop_templates.title);
const TEMPLATE_MEDIA =
  "An https link to YouTube, Vimeo, Spotify or SoundCloud. Required if type is `media`, not allowed otherwise.";
const TEMPLATE_THUMBNAIL =
  "The https address of a preview image, only if type is `media`. By default a link to a single YouTube video gets the preview of that video.";

export const NewTemplate = z
  .object({
    type: DropType,
    title: Title,
    content: Content,
    media_url: orNull(MediaUrl).meta({ description: TEMPLATE_MEDIA }),
    thumbnail_url: orNull(HttpsLink).meta({ description: TEMPLATE_THUMBNAIL }),
    is_approved: z.boolean().default(false),
  })
  .check((context) => {
    const { type, media_url, thumbnail_url } = context.value;
    report(context, mediaIssues({ type, hasLink: media_url !== null, hasThumbnail: thumbnail_url !== null }));
  })
  .meta({ id: "NewDropTemplate" });
export type NewTemplate = z.output<typeof NewTemplate>;

export const TemplateUpdate = atLeastOneField(
  z.object({
    type: DropType.optional(),
    title: Title.optional(),
    content: Content.optional(),
    media_url: MediaUrl.nullish().meta({ description: TEMPLATE_MEDIA }),
    thumbnail_url: HttpsLink.nullish().meta({ description: TEMPLATE_THUMBNAIL }),
    is_approved: z.boolean().optional(),
  }),
).meta({ id: "DropTemplateUpdate" });
export type TemplateUpdate = z.output<typeof TemplateUpdate>;

/** Problems of type, link and thumbnail in combination, of a drop or a template. */
export function mediaIssues({ type, hasLink, hasThumbnail }: MediaParts): Issue[] {
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

/** Reports what is wrong with several fields of a body in combination. */
function report(context: z.core.ParsePayload<object>, issues: readonly Issue[]): void {
  for (const { path, message } of issues) {
    context.issues.push({ code: "custom", path: [path], message, input: context.value });
  }
}

const ConfigFields = {
  daily_allowance: z.int().min(0).max(100).meta({ description: "Drops that everyone can send each UTC day." }),
  bonus_drops_per_engagement: z
    .int()
    .min(0)
    .max(100)
    .meta({ description: "Bonus drops that a sender earns for each engagement." }),
  engagement_window_hours: z
    .int()
    .min(1)
    .max(168)
    .meta({ description: "Hours after a drop in which a journal entry of the recipient counts as engagement." }),
  max_custom_drops_per_day: z
    .int()
    .min(0)
    .max(100)
    .meta({ description: "Drops with their own text that everyone can send each UTC day." }),
};

export const DropConfig = z.object(ConfigFields).meta({ id: "DropConfig" });
export type DropConfig = z.infer<typeof DropConfig>;

export const DropConfigUpdate = atLeastOneField(z.object(ConfigFields).partial()).meta({ id: "DropConfigUpdate" });
export type DropConfigUpdate = z.output<typeof DropConfigUpdate>;

export const DropResponse = z.object({ drop: EncouragementDrop });
export const SentResponse = z.object({ drop: EncouragementDrop, allowance: Allowance, badge: Badge });
export const ReceivedResponse = z.object({
  drops: z.array(EncouragementDrop),
  unread_count: z.int().meta({ description: "Unread drops of all pages." }),
  next_cursor: NextCursor,
});
export const SentDropsResponse = z.object({ drops: z.array(SentDrop), next_cursor: NextCursor });
export const TemplateResponse = z.object({ template: DropTemplate });
export const TemplatesResponse = z.object({ templates: z.array(DropTemplate), next_cursor: NextCursor });
export const ConfigResponse = z.object({ config: DropConfig });
