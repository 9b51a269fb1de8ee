import * as z from "zod";
import { isRecord } from "./json.ts";

const TextBody = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.enum(["system", "developer", "user"]), content: z.string() })),
  response_format: z
    .object({
      type: z.literal("json_schema"),
      json_schema: z.object({
        name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
        strict: z.literal(true),
        schema: z.record(z.string(), z.unknown()),
      }),
    })
    .optional(),
  max_completion_tokens: z.int().positive().optional(),
  reasoning_effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]).optional(),
});

const ImageBody = z.strictObject({
  model: z.string(),
  prompt: z.string().min(1),
  n: z.literal(1),
  size: z.literal("1024x1024"),
  quality: z.enum(["low", "medium", "high", "auto"]),
  output_format: z.enum(["png", "jpeg", "webp"]).optional(),
});

/** Models that reason unless they are told not to. */
const REASONING_MODEL = /^(?:gpt-[5-9]|o\d)/;

/** The maximum prompt of an image, in characters. */
const MAX_PROMPT = 32_000;

/** A request to the text model. */
export type TextModelRequest = Exclude<ReturnType<typeof textRequestOf>, string>;
/** A request to the image model. */
export type ImageModelRequest = Exclude<ReturnType<typeof imageRequestOf>, string>;

/** Reads a request of the text model; a string says what the vendor would refuse. */
export function textRequestOf(body: unknown) {
  const read = TextBody.safeParse(body);
  if (!read.success) return `Invalid request: ${z.prettifyError(read.error)}`;
  const { model, messages, response_format, max_completion_tokens, reasoning_effort } = read.data;
  const reasons = REASONING_MODEL.test(model);
  if (!reasons && reasoning_effort !== undefined) return "Unrecognized request argument supplied: reasoning_effort";
  const schema = response_format?.json_schema.schema ?? null;
  const refused = schema === null ? undefined : refusedAtRoot(schema);
  if (refused !== undefined) return `Invalid schema for response_format: ${refused}`;
  const said = (own: boolean) =>
    messages
      .filter(({ role }) => (role === "user") !== own)
      .map(({ content }) => content)
      .join("\n");
  return {
    kind: "text" as const,
    model,
    instructions: said(true),
    data: said(false),
    schemaName: response_format?.json_schema.name ?? null,
    schema,
    maxOutputTokens: max_completion_tokens ?? null,
    reasoningEffort: reasons ? (reasoning_effort ?? "medium") : "none",
  };
}

/** Reads a request of the image model; a string says what the vendor would refuse. */
export function imageRequestOf(body: unknown) {
  const read = ImageBody.safeParse(body);
  if (!read.success) return `Invalid request: ${z.prettifyError(read.error)}`;
  const { model, prompt, size, quality } = read.data;
  if (prompt.length > MAX_PROMPT)
    return `Invalid 'prompt': string too long. Expected a maximum length of ${MAX_PROMPT}.`;
  return { kind: "image" as const, model, prompt, size, quality };
}

function refusedAtRoot(schema: Record<string, unknown>): string | undefined {
  return schema.type === "object" ? refusedIn(schema) : "schema must be of 'type: \"object\"'.";
}

/** Why the vendor's strict mode would refuse a schema: open objects, optional properties, some keywords. */
function refusedIn(schema: unknown): string | undefined {
  if (Array.isArray(schema)) return firstRefused(schema);
  if (!isRecord(schema)) return undefined;
  if (schema.type === "object") {
    if (schema.additionalProperties !== false) return "'additionalProperties' is required to be false.";
    const required = Array.isArray(schema.required) ? schema.required : [];
    const missing = Object.keys(isRecord(schema.properties) ? schema.properties : {}).find(
      (name) => !required.includes(name),
    );
    if (missing !== undefined) return `'required' must name every property; missing '${missing}'.`;
    return isRecord(schema.properties) ? firstRefused(Object.values(schema.properties)) : undefined;
  }
  const keyword = ["minLength", "maxLength", "default"].find((name) => name in schema);
  if (keyword !== undefined) return `'${keyword}' is not permitted.`;
  return firstRefused(Object.values(schema));
}

function firstRefused(schemas: readonly unknown[]): string | undefined {
  return schemas.map(refusedIn).find((refused) => refused !== undefined);
}
