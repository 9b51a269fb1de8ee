import * as z from "zod";
import { isRecord } from "./json.ts";

/** An error as Resend sends it. */
export interface MailProblem {
  statusCode: 400 | 401 | 403 | 404 | 409 | 422 | 429 | 500;
  name: string;
  message: string;
}

/** A mail as it was requested. */
export interface MailRequest {
  from: string;
  to: string[];
  replyTo: string[];
  subject: string;
  html: string | null;
  text: string | null;
  tags: Record<string, string>;
  headers: Record<string, string>;
}

/** A mail that was accepted. */
export interface StoredMail extends MailRequest {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The outcomes that were reported for it, oldest first. */
  readonly outcomes: string[];
}

/** The body of such a request. */
export const ONE_CLICK = "List-Unsubscribe=One-Click";

const MAX_RECIPIENTS = 50;
const TagText = z.string().regex(/^[A-Za-z0-9_-]{1,256}$/);
const Tags = z.array(z.object({ name: TagText, value: TagText })).default([]);
/** A header of one line, with ASCII characters only. */
const Headers = z.record(z.string().regex(/^[!-9;-~]+$/), z.string().regex(/^[\t -~]*$/)).default({});
const ADDRESS = /^[^\s@<>",;:\\()[\]]+@[^\s@<>",;:\\()[\]]+\.[^\s@<>",;:\\()[\]]+$/;

/** Reads the body of `POST /emails`; a problem if Resend would refuse it. */
export function mailRequestOf(body: unknown): MailRequest | MailProblem {
  if (!isRecord(body)) return invalid("The body must be a JSON object.");
  const { from, subject } = body;
  const to = listOf(body.to);
  const replyTo = listOf(body.reply_to);
  const html = textOf(body.html);
  const text = textOf(body.text);
  if (typeof from !== "string" || from === "") return missing("Missing `from` field.");
  if (to.length === 0) return missing("Missing `to` field.");
  if (typeof subject !== "string" || subject === "") return missing("Missing `subject` field.");
  if (html === null && text === null) return missing("Missing `html` or `text` field.");
  if (!isMailbox(from)) return invalid(format("from"));
  if (!to.every(isMailbox)) return invalid(format("to"));
  if (to.length > MAX_RECIPIENTS) return invalid(`The \`to\` field has more than ${MAX_RECIPIENTS} recipients.`);
  if (!replyTo.every(isMailbox)) return invalid(format("reply_to"));
  if (/[\r\n]/.test(subject)) return invalid("The `\\n` is not allowed in the `subject` field.");
  const tags = tagsOf(body.tags);
  if (tags === null) return invalid("Tags should only contain ASCII letters, numbers, underscores, or dashes.");
  const { data: headers } = Headers.safeParse(body.headers);
  if (headers === undefined)
    return invalid("Invalid `headers` field. Every header needs a name and a text of one line.");
  return { from, to, replyTo, subject, html, text, tags, headers };
}

/** The address at which a mail program unsubscribes with one request (RFC 8058); null if the mail does not offer it. */
export function oneClickAddress({ headers }: Pick<MailRequest, "headers">): string | null {
  if (headers["List-Unsubscribe-Post"] !== ONE_CLICK) return null;
  return /<(https?:[^>]*)>/.exec(headers["List-Unsubscribe"] ?? "")?.[1] ?? null;
}

/** Whether a result is a problem. */
export function isProblem(result: MailRequest | MailProblem): result is MailProblem {
  return "statusCode" in result;
}

/** `a@b.example`, or `Name <a@b.example>`; never more than one. */
function isMailbox(value: string): boolean {
  const inBrackets = /^[^<>\r\n]*<([^<>]*)>$/.exec(value)?.[1];
  return ADDRESS.test(inBrackets ?? value);
}

function tagsOf(value: unknown): Record<string, string> | null {
  const { data: tags } = Tags.safeParse(value);
  return tags === undefined ? null : Object.fromEntries(tags.map((tag) => [tag.name, tag.value]));
}

function listOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((item) => typeof item === "string");
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function format(field: string): string {
  return `Invalid \`${field}\` field. The email address needs to follow the \`email@example.com\` or \`Name <email@example.com>\` format.`;
}

function missing(message: string): MailProblem {
  return problem(422, "missing_required_field", message);
}

function invalid(message: string): MailProblem {
  return problem(422, "validation_error", message);
}

/** An error as Resend sends it. */
export function problem(statusCode: MailProblem["statusCode"], name: string, message: string): MailProblem {
  return { statusCode, name, message };
}
