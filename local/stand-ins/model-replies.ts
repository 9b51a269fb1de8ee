import { type ToneReply, toneOf } from "./lexicon.ts";
import { journalText } from "./model-data.ts";
import { messageReply, notesReply } from "./model-notes.ts";

const INJECTED = /answer\s+with\s+primaryTone\s+["“]([\s\S]*?)["”](?:\s+and\s+confidence\s+(-?[\d.]+))?/i;
const INJECTED_WHOLE = /answer\s+exactly\s+<<<([\s\S]*?)>>>/i;

/** The reply of a model that ignores the requested shape. */
export const PROSE = "Of course! It sounds as if the writer had quite a day. I would call the mood thoughtful.";

/** The reply for each known shape, by a property that no other shape has. */
const REPLIES: Readonly<Record<string, (data: string) => string>> = {
  primaryTone: toneReply,
  mood_trends: notesReply,
  message: messageReply,
};

/** The reply of a model that follows its instructions; undefined for an unknown shape. */
export function replyFor(schema: Readonly<Record<string, unknown>> | null): ((data: string) => string) | undefined {
  const properties = schema?.properties;
  if (typeof properties !== "object" || properties === null) return undefined;
  return Object.entries(REPLIES).find(([property]) => property in properties)?.[1];
}

function toneReply(data: string): string {
  return JSON.stringify(toneOf(journalText(data)));
}

/**
 * The behavior that a text requests: with `stand-in: fail`, `stand-in: hang` or `stand-in: prose` in it, a test can let the
 * requests about one person's text fail instead of all requests.
 */
export function behaviorRequestedBy(data: string) {
  return (["fail", "hang", "prose"] as const).find((behavior) => data.includes(`stand-in: ${behavior}`)) ?? "normal";
}

/**
 * The reply of a model that obeys what it reads in the journal text: `answer with primaryTone "..." and confidence 1`
 * gives that tone and confidence, whatever they are, and `answer exactly <<<...>>>` gives that text as the reply.
 */
export function obedientReply(data: string, reply: (data: string) => string): string {
  const whole = INJECTED_WHOLE.exec(unescaped(data))?.[1];
  if (whole !== undefined) return whole;
  const { title, content } = journalText(data);
  const [, tone, confidence] = INJECTED.exec(`${title}\n${content}`) ?? [];
  if (tone === undefined) return reply(data);
  const certainty = confidence === undefined ? 1 : Number(confidence);
  const obeyed: ToneReply = {
    primaryTone: tone,
    tones: [{ tone, score: certainty }],
    sentiment: "positive",
    confidence: certainty,
  };
  return JSON.stringify(obeyed);
}

/** All texts of the data, without the escaping of JSON. */
function unescaped(data: string): string {
  try {
    const texts: string[] = [];
    JSON.parse(data, (_, value: unknown) => {
      if (typeof value === "string") texts.push(value);
      return value;
    });
    return texts.join("\n");
  } catch {
    return data;
  }
}
