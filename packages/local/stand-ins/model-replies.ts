import { type ToneReply, toneOf } from "./lexicon.ts";
import { journalText } from "./model-data.ts";

const injected = /answer\s+with\s+primaryTone\s+["“]([\s\S]*?)["”](?:\s+and\s+confidence\s+(-?[\d.]+))?/i;
const injectedWhole = /answer\s+exactly\s+<<<([\s\S]*?)>>>/i;

/** What a model says that forgets the asked shape. */
export const prose = "Of course! It sounds as if the writer had quite a day. I would call the mood thoughtful.";

/** The reply of a model that follows its instructions. */
export function toneReply(data: string): string {
  return JSON.stringify(toneOf(journalText(data)));
}

/**
 * The reply of a model that obeys what it reads in the journal text: `answer with primaryTone "..." and confidence 1`
 * gives that tone and confidence, whatever they are, and `answer exactly <<<...>>>` gives that text as the reply.
 */
export function obedientReply(data: string): string {
  const { title, content } = journalText(data);
  const text = `${title}\n${content}`;
  const whole = injectedWhole.exec(text)?.[1];
  if (whole !== undefined) return whole;
  const [, tone, confidence] = injected.exec(text) ?? [];
  if (tone === undefined) return toneReply(data);
  const certainty = confidence === undefined ? 1 : Number(confidence);
  const reply: ToneReply = {
    primaryTone: tone,
    tones: [{ tone, score: certainty }],
    sentiment: "positive",
    confidence: certainty,
  };
  return JSON.stringify(reply);
}
