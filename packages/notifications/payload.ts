/** The parts of a notification that are pushed. */
export interface Announced {
  readonly notification_id: string;
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Push services limit the encrypted message, with its overhead, to 4,096 bytes. */
const MAX_PAYLOAD_BYTES = 3_072;

/**
 * The JSON text that a device gets: `{id, type, title, body, data}`, at most 3 KB. Title and data always fit (the database
 * limits them); a body that is too long is cut. A repeated message has the same `id`, so that a device shows it once.
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
  // Binary search for the longest beginning that fits.
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
 * The topic under which a push service stores a message for an offline device. A repeated message has the same topic and
 * replaces the first one. 22 characters of base64url.
 */
export function topicOf(notificationId: string): string {
  return Buffer.from(notificationId.replaceAll("-", ""), "hex").toString("base64url");
}
