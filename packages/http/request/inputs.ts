import * as z from "zod";
import { AppError, allErrorCodes, type ErrorCode, type Issue } from "#core/errors";
import { textProblem } from "#core/text/text";
import type { AppContext } from "../services/context.ts";
import { type BodyKb, readJsonBody, readTextBody } from "./request-body.ts";

/** A body that has been read and checked. */
export interface ReadBody<Value> {
  readonly value: Value;
  /** The body as it was sent, or a digest of it; distinguishes two requests with the same Idempotency-Key. */
  readonly text: string;
}

/** Reads another kind of body than required JSON. */
export interface BodyReader<Value> {
  readonly read: (c: AppContext, maxKb: BodyKb) => Promise<ReadBody<Value>>;
  /** The errors of `read`. */
  readonly errors: readonly ErrorCode[];
  /** How the reference describes the body: by media type, the schema as zod or as JSON schema. Clients send the first one. */
  readonly document: () => {
    readonly required: boolean;
    readonly content: Readonly<Record<string, z.ZodType | Readonly<Record<string, unknown>>>>;
  };
}

/** The result of a body schema or reader. */
export type BodyOf<Body> =
  Body extends BodyReader<infer Value> ? Value : Body extends z.ZodType ? z.output<Body> : undefined;

/** The errors of a JSON body. */
export const JSON_BODY_ERRORS = [
  "request.invalid",
  "request.malformed_json",
  "request.aborted",
  "request.too_large",
  "request.unsupported_media_type",
] as const satisfies readonly ErrorCode[];

/** A JSON body that may be left out; then it counts as an empty object. @public */
export function optionalBody<Schema extends z.ZodType<object>>(schema: Schema): BodyReader<z.output<Schema>> {
  return {
    read: async (c, maxKb) => {
      const { text, value } = await readJsonBody(c, maxKb, {});
      return { text, value: checkInput(schema, value) };
    },
    errors: JSON_BODY_ERRORS,
    document: () => ({ required: false, content: { "application/json": schema } }),
  };
}

/** The body of a webhook exactly as it was sent, because its signature covers every byte. */
export const signedText: BodyReader<string> = {
  read: async (c, maxKb) => {
    const text = await readTextBody(c, maxKb);
    return { text, value: text };
  },
  errors: ["request.malformed_json", "request.aborted", "request.too_large"],
  document: () => ({ required: true, content: { "application/json": { type: "object" } } }),
};

/** Finds the problems of an invalid body that its schema alone cannot find. */
export type FurtherProblems = (body: unknown) => Promise<readonly Issue[]>;

/** Reads the body of an endpoint. Unknown fields are ignored; every problem is reported at once. */
export function bodyReader(
  body: z.ZodType<object> | BodyReader<unknown>,
  maxKb: BodyKb,
): (c: AppContext, furtherProblems: FurtherProblems) => Promise<ReadBody<unknown>> {
  if (!(body instanceof z.ZodType)) return (c) => body.read(c, maxKb);
  return async (c, furtherProblems) => {
    const { text, value } = await readJsonBody(c, maxKb);
    const result = body.safeParse(value);
    if (!result.success) throw invalid(result.error.issues, await furtherProblems(value));
    return { text, value: result.data };
  };
}

/** Reads the query of a URL. A parameter may be repeated only where the schema has an array. */
export function queryReader(schema: z.ZodObject): (url: string) => object {
  const repeatable = new Set(
    Object.entries(schema.shape)
      .filter(([, field]) => (field instanceof z.ZodOptional ? field.unwrap() : field) instanceof z.ZodArray)
      .map(([name]) => name),
  );
  return (url) => checkInput(schema, readQuery(url, repeatable));
}

/** @throws AppError 400 for each parameter that is repeated, or is not valid UTF-8, or contains impossible characters */
function readQuery(url: string, repeatable: ReadonlySet<string>): object {
  const start = url.indexOf("?");
  const sent = new URLSearchParams(start === -1 ? "" : url.slice(start));
  const issues: Issue[] = [];
  const fields = [...new Set(sent.keys())].map((name) => {
    const values = sent.getAll(name);
    const text = [name, ...values].join(" ");
    // What cannot be decoded becomes a replacement character.
    const problem = text.includes("\ufffd") ? "must be valid percent-encoded UTF-8" : textProblem(text);
    if (problem !== null) issues.push({ path: name, message: problem });
    if (repeatable.has(name)) return [name, values];
    if (values.length > 1) issues.push({ path: name, message: "must be given only once" });
    return [name, values[0]];
  });
  if (issues.length > 0) throw new AppError("request.invalid", { issues });
  return Object.fromEntries(fields);
}

/** Reads the parameters of a path. */
export function paramsReader(fields: Readonly<Record<string, z.ZodType>>): (params: object) => object {
  const schema = z.object(fields);
  return (params) => checkInput(schema, params);
}

/** The parsed value of an input. @throws AppError 400 with all its problems, or with the error that all of them name */
export function checkInput<Schema extends z.ZodType<object>>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw invalid(result.error.issues);
  return result.data;
}

/** A schema can name the error of an issue in its `params`. That error is used if all issues of the request name one. */
const WithError = z.object({ error: z.enum(allErrorCodes()) });

function invalid(problems: readonly z.core.$ZodIssue[], further: readonly Issue[] = []): AppError {
  const issues = [...problems.map(toIssue), ...further];
  const errors = problems.flatMap((problem) =>
    problem.code === "custom" ? (WithError.safeParse(problem.params).data?.error ?? []) : [],
  );
  const [error] = errors;
  if (error === undefined || errors.length < issues.length) return new AppError("request.invalid", { issues });
  return new AppError(error, { issues });
}

/** A problem that zod found, as it is sent. */
export function toIssue(issue: z.core.$ZodIssue): Issue {
  return { path: issue.path.map(String).join("."), message: issue.message };
}
