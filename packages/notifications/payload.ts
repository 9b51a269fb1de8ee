/** What a push message tells of a notification. */
export interface Announced {
  readonly notification_id: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Bytes of a payload: a push service takes 4,096 of the encrypted message, some of them its own. */
const MAX_PAYLOAD_BYTES = 3_072;

/**
 * The JSON text that a device gets: `{id, type, title, body, data}`, at most 3 KB. Title and data always fit (the database
 * sees to it); a body that does not is cut. A repeated message has the same `id`, so that a device shows it once.
 */
export function payloadOf(announced: Announced): string {
  const encode = (body: string) =>
    JSON.stringify({
      id: announced.notification_id,
      type: announced.type,
      title: announced.title,
      body,
      data: announced.data,
    });
  const fits = (text: string) => Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES;
  const whole = encode(announced.body);
  if (fits(whole)) return whole;
  const characters = [...announced.body];
  // The longest beginning that fits, found by halving.
  let [short, long] = [0, characters.length];
  while (long - short > 1) {
    const middle = Math.floor((short + long) / 2);
    if (fits(encode(beginning(characters, middle)))) short = middle;
    else long = middle;
  }
  return encode(beginning(characters, short));
}

function beginning(characters: readonly string[], length: number): string {
  return `${characters.slice(0, length).join("")}…`;
}

/**
 * Under what name a push service keeps a message for a device that is away: the same for each repetition, which then
 * replaces the one before. 22 characters of base64url.
 */
export function topicOf(notificationId: string): string {
  return Buffer.from(notificationId.replaceAll("-", ""), "hex").toString("base64url");
}
