import { createPrivateKey, X509Certificate } from "node:crypto";
import * as z from "zod";

// Schemas of the texts of variables, and the values that they are parsed into.

/** Null when empty. */
export const OptionalText = z.string().transform((text) => (text === "" ? null : text));

/** How much a model reasons; null when empty. */
export const ReasoningEffort = z
  .enum(["", "none", "minimal", "low", "medium", "high", "xhigh", "max"])
  .transform((effort) => (effort === "" ? null : effort));

/** An http(s) address; null when empty. */
export const OptionalUrl = OptionalText.refine(
  (url) => url === null || /^https?:\/\/\S+$/.test(url),
  "must be an http(s) address",
);

/** An http(s) address without slashes at its end; null when empty. */
export const BaseUrl = OptionalUrl.transform((url) => url?.replace(/\/+$/, "") ?? null);

/** The address of a PostgreSQL database. */
export const PostgresUrl = z.string().regex(/^postgres(ql)?:\/\//, "must be a postgres:// address");

/** True for `on`, false for `off`. */
export const OnOff = z.enum(["on", "off"]).transform((text) => text === "on");

/** A boolean, written `true` or `false`. */
export const TrueFalse = z.enum(["true", "false"]).transform((text) => text === "true");

/** Certificates in PEM format, with a backslash and n where a line ends, if the text must be one line; null when empty. */
export const Certificates = OptionalText.transform((text) => text?.replaceAll("\\n", "\n") ?? null).refine(
  (text) => text === null || isCertificate(text),
  "must be a certificate in PEM format",
);

/** Texts separated by commas. */
export const List = z.string().transform((text) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== ""),
);

/** Addresses of PostgreSQL databases, separated by commas. */
export const PostgresUrls = List.pipe(z.array(PostgresUrl));

/** Addresses separated by commas, in lower case. */
export const Emails = List.transform((addresses) => new Set(addresses.map((address) => address.toLowerCase())));

/** HTTP headers as `name=value`, percent-encoded and separated by commas. */
export const Headers = List.refine(
  (headers) => headers.every((header) => /^[^=\s]+=/.test(header) && isPercentEncoded(header)),
  "must be name=value, percent-encoded",
).transform((headers) =>
  Object.fromEntries(
    headers.map((header) => {
      const [name = "", ...value] = header.split("=");
      return [name, decodeURIComponent(value.join("="))];
    }),
  ),
);

const MIN_SECRET_LENGTH = 32;

/** Long secrets separated by commas. */
export const Secrets = List.refine(
  (secrets) => secrets.every((secret) => secret.length >= MIN_SECRET_LENGTH),
  `every secret must have at least ${MIN_SECRET_LENGTH} characters`,
);

/**
 * A key of a VAPID pair in base64url, as `npx web-push generate-vapid-keys` prints it; null when empty.
 * @param bytes how many the key has
 */
export function vapidKey(bytes: number) {
  return OptionalText.refine(
    (key) => key === null || (/^[\w-]+$/.test(key) && Buffer.from(key, "base64url").length === bytes),
    `must be a VAPID key: ${bytes} bytes in base64url`,
  );
}

const ServiceAccountFile = z
  .string()
  .transform((text) => parsedJson(text))
  .pipe(
    z.object({
      project_id: z.string().min(1),
      client_email: z.string().min(1),
      private_key: z.string().refine((pem) => keyKind(pem) === "rsa"),
      private_key_id: z.string().optional(),
      token_uri: z.url({ protocol: /^https?$/ }),
    }),
  );

/** The JSON file of a service account; null when empty. */
export const OptionalServiceAccount = OptionalText.transform((text, context) => {
  if (text === null) return null;
  const { data } = ServiceAccountFile.safeParse(text);
  if (data !== undefined) {
    return {
      projectId: data.project_id,
      clientEmail: data.client_email,
      privateKey: data.private_key,
      privateKeyId: data.private_key_id ?? null,
      tokenUri: data.token_uri,
    };
  }
  const message = "must be the JSON of a service account, with project_id, client_email, private_key and token_uri";
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

/** A private key on P-256 in PEM format, with a backslash and n where a line ends, if the text must be one line; null when empty. */
export const OptionalEcKey = OptionalText.transform((text) => text?.replaceAll("\\n", "\n") ?? null).refine(
  (text) => text === null || keyKind(text) === "prime256v1",
  "must be a private key on P-256 in PEM format",
);

const APPLE_ID_LENGTH = 10;

/** An id of a key or a team at Apple; null when empty. */
export const OptionalAppleId = OptionalText.refine(
  (id) => id === null || (id.length === APPLE_ID_LENGTH && /^[A-Z0-9]+$/.test(id)),
  `must have ${APPLE_ID_LENGTH} characters: capital letters and digits`,
);

const SANDBOX = "@sandbox";

/** Apps of Apple's platforms, separated by commas; those with `@sandbox` are development builds. */
export const Topics = List.transform((topics) =>
  topics.map((topic) => ({ app: topic.replace(SANDBOX, ""), isSandbox: topic.endsWith(SANDBOX) })),
)
  .refine((topics) => topics.every(({ app }) => /^[A-Za-z0-9.-]{1,155}$/.test(app)), "must be bundle ids")
  .refine((topics) => new Set(topics.map(({ app }) => app)).size === topics.length, "must not have an app twice");

/** An amount of US dollars, as micro-dollars. With this maximum the cost of any call fits into its column. */
export const Dollars = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,6})?$/, "must be an amount of US dollars such as 0.15, with at most six decimal places")
  .transform((text) => Math.round(Number(text) * 1_000_000))
  .refine((micros) => micros <= 200_000_000, "must be at most 200");

/** A port of TCP. */
export const Port = z
  .string()
  .trim()
  .refine((text) => /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535, "must be a port number from 1 to 65535")
  .transform(Number);

/** Up to ten minutes. */
export const Seconds = z.coerce.number().int().min(0).max(600);

/** A number of proxies; null when empty. */
export const OptionalHops = z
  .string()
  .trim()
  .regex(/^(?:[0-9]|10)?$/, "must be a number from 0 to 10")
  .transform((text) => (text === "" ? null : Number(text)));

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).subject !== undefined;
  } catch {
    return false;
  }
}

/** The algorithm of a private key, or its curve; null if it is none. */
function keyKind(pem: string): string | null {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    return asymmetricKeyDetails?.namedCurve ?? asymmetricKeyType ?? null;
  } catch {
    return null;
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
