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

/** Whether a JSON body may be left out: then it counts as an empty object. */
export function isOptional(body: z.ZodType<object>): boolean {
  return body.safeParse({}).success;
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
  const absent = isOptional(body) ? {} : undefined;
  return async (c, furtherProblems) => {
    const { text, value } = await readJsonBody(c, maxKb, absent);
    const result = body.safeParse(value);
    if (!result.success) throw invalid(result.error.issues, await furtherProblems(value));
    return { text, value: result.data };
  };
}

/**
 * Reads the query of a URL. A parameter may be repeated only where the schema has an array, and `name[]` counts as `name`.
 * @param ignoresUnknown whether a parameter that the schema does not have is ignored instead of refused
 */
export function queryReader(schema: z.ZodObject, ignoresUnknown: boolean): (url: string) => object {
  const names = Object.keys(schema.shape);
  const repeatable = new Set(
    Object.entries(schema.shape)
      .filter(([, field]) => (field instanceof z.ZodOptional ? field.unwrap() : field) instanceof z.ZodArray)
      .map(([name]) => name),
  );
  const unknown =
    names.length === 0 ? "is unknown: there are no parameters" : `is unknown: there are ${names.join(", ")}`;

  /** @throws AppError 400 for each parameter that is unknown or repeated, or has what is not UTF-8 or cannot be stored */
  function fieldsOf(query: string): object {
    const issues: Issue[] = [];
    const fields = [...valuesByName(query)].map(([name, values]) => {
      const text = [name, ...values].join(" ");
      // What cannot be decoded becomes a replacement character.
      const problem = text.includes("\ufffd") ? "must be valid percent-encoded UTF-8" : textProblem(text);
      if (problem !== null) issues.push({ path: name, message: problem });
      else if (!ignoresUnknown && !names.includes(name)) issues.push({ path: name, message: unknown });
      if (repeatable.has(name)) return [name, values];
      if (values.length > 1) issues.push({ path: name, message: "must be given only once" });
      return [name, values[0]];
    });
    if (issues.length > 0) throw new AppError("request.invalid", { issues });
    return Object.fromEntries(fields);
  }
  return (url) => {
    const start = url.indexOf("?");
    return checkInput(schema, start === -1 ? {} : fieldsOf(url.slice(start)));
  };
}

function valuesByName(query: string): Map<string, string[]> {
  const valuesOf = new Map<string, string[]>();
  for (const [sent, value] of new URLSearchParams(query)) {
    const name = sent.replace(/\[\]$/, "");
    const values = valuesOf.get(name);
    if (values === undefined) valuesOf.set(name, [value]);
    else values.push(value);
  }
  return valuesOf;
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
