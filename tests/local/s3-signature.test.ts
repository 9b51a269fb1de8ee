import { checkSignature } from "@nectar/local/stand-ins/s3-signature";
import { describe, expect, test } from "vitest";

// The examples that AWS publishes for Signature Version 4 in "Authenticating Requests" of the Amazon S3 API reference.
const KEY = { id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
const HOST = "examplebucket.s3.amazonaws.com";
const SIGNED_AT = new Date("2013-05-24T00:00:00Z");
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const SCOPE = `${KEY.id}/20130524/us-east-1/s3/aws4_request`;
const HOUR_MS = 3_600_000;

interface Example {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signature: string;
}

const EXAMPLES: readonly Example[] = [
  {
    name: "GET object",
    method: "GET",
    path: "/test.txt",
    headers: { host: HOST, range: "bytes=0-9", "x-amz-content-sha256": EMPTY, "x-amz-date": "20130524T000000Z" },
    body: "",
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  {
    name: "PUT object",
    method: "PUT",
    path: "/test$file.text",
    headers: {
      date: "Fri, 24 May 2013 00:00:00 GMT",
      host: HOST,
      "x-amz-content-sha256": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
      "x-amz-date": "20130524T000000Z",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
    },
    body: "Welcome to Amazon S3.",
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  {
    name: "GET bucket lifecycle",
    method: "GET",
    path: "/?lifecycle",
    headers: { host: HOST, "x-amz-content-sha256": EMPTY, "x-amz-date": "20130524T000000Z" },
    body: "",
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  {
    name: "list objects",
    method: "GET",
    path: "/?max-keys=2&prefix=J",
    headers: { host: HOST, "x-amz-content-sha256": EMPTY, "x-amz-date": "20130524T000000Z" },
    body: "",
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
];

function requestOf({ method, path, headers, body, signature }: Example, changed: Record<string, string> = {}): Request {
  const signedHeaders = Object.keys(headers).join(";");
  const authorization = `AWS4-HMAC-SHA256 Credential=${SCOPE},SignedHeaders=${signedHeaders},Signature=${signature}`;
  return new Request(`https://${HOST}${path}`, {
    method,
    headers: { ...headers, authorization, ...changed },
    ...(body === "" ? {} : { body }),
  });
}

function refusal(request: Request, body = "", now = SIGNED_AT): unknown {
  try {
    checkSignature(request, Buffer.from(body), KEY, now);
    return null;
  } catch (error) {
    return error;
  }
}

const later = (ms: number) => new Date(SIGNED_AT.getTime() + ms);

describe("a signature in the header", () => {
  test.each(EXAMPLES)("is right in Amazon's example of $name", (example) => {
    expect(refusal(requestOf(example), example.body)).toBeNull();
  });

  test.each(EXAMPLES)("is wrong in Amazon's example of $name with another path or method", (example) => {
    const moved = { ...example, path: `/x${example.path}` };
    const other = { ...example, method: "DELETE" };
    for (const changed of [moved, other]) {
      expect(refusal(requestOf(changed), example.body)).toMatchObject({ status: 403, code: "SignatureDoesNotMatch" });
    }
  });

  test.each(EXAMPLES)("is too old or too new after a quarter of an hour in Amazon's example of $name", (example) => {
    for (const ms of [-901_000, 901_000]) {
      const problem = refusal(requestOf(example), example.body, later(ms));
      expect(problem).toMatchObject({ status: 403, code: "RequestTimeTooSkewed" });
    }
    expect(refusal(requestOf(example), example.body, later(899_000))).toBeNull();
  });

  test.each(EXAMPLES)("does not cover another body in Amazon's example of $name", (example) => {
    expect(refusal(requestOf(example), "Another body")).toMatchObject({
      status: 400,
      code: "XAmzContentSHA256Mismatch",
    });
  });

  test.each(EXAMPLES)("must cover every header of Amazon's in the example of $name", (example) => {
    const problem = refusal(requestOf(example, { "x-amz-acl": "public-read" }), example.body);
    expect(problem).toMatchObject({ status: 403, code: "AccessDenied", details: { HeadersNotSigned: "x-amz-acl" } });
  });

  test.each(EXAMPLES)("needs a date, a scope and the hash of the body in Amazon's example of $name", (example) => {
    const { host = "", "x-amz-date": date = "", "x-amz-content-sha256": hash = "" } = example.headers;
    const without = (headers: Record<string, string>) => refusal(requestOf({ ...example, headers }), example.body);
    expect(without({ host, "x-amz-date": date })).toMatchObject({ status: 400, code: "InvalidRequest" });
    const undated = without({ host, "x-amz-content-sha256": hash });
    expect(undated).toMatchObject({ status: 400, code: "AuthorizationHeaderMalformed" });
    const nextDay = without({ host, "x-amz-content-sha256": hash, "x-amz-date": "20130525T000000Z" });
    expect(nextDay).toMatchObject({ status: 400, code: "AuthorizationHeaderMalformed" });
  });
});

describe("a signature in the address", () => {
  const signature = "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404";
  const address = (changed: Record<string, string> = {}) => {
    const query = new URLSearchParams({
      "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
      "X-Amz-Credential": SCOPE,
      "X-Amz-Date": "20130524T000000Z",
      "X-Amz-Expires": "86400",
      "X-Amz-SignedHeaders": "host",
      "X-Amz-Signature": signature,
      ...changed,
    });
    return new Request(`https://${HOST}/test.txt?${query}`, { headers: { host: HOST } });
  };

  test("is right in Amazon's example until it expires", () => {
    expect(refusal(address())).toBeNull();
    expect(refusal(address(), "", later(24 * HOUR_MS))).toBeNull();
    expect(refusal(address(), "", later(24 * HOUR_MS + 1))).toMatchObject({
      status: 403,
      code: "AccessDenied",
      message: "Request has expired",
    });
  });

  test("is not valid before it was made", () => {
    const problem = refusal(address(), "", later(-HOUR_MS));
    expect(problem).toMatchObject({ status: 403, code: "AccessDenied", message: "Request is not yet valid" });
  });

  test("is wrong for a longer time, another host or another key", () => {
    expect(refusal(address({ "X-Amz-Expires": "86401" }))).toMatchObject({ code: "SignatureDoesNotMatch" });
    const elsewhere = new Request(address(), { headers: { host: "another.s3.amazonaws.com" } });
    expect(refusal(elsewhere)).toMatchObject({ code: "SignatureDoesNotMatch" });
    const another = address({ "X-Amz-Credential": SCOPE.replace(KEY.id, "AKIDEXAMPLE") });
    expect(refusal(another)).toMatchObject({ status: 403, code: "InvalidAccessKeyId" });
  });

  test.each(["604801", "0", "-1", "1.5", ""])("cannot be valid for %j seconds", (seconds) => {
    const problem = refusal(address({ "X-Amz-Expires": seconds }));
    expect(problem).toMatchObject({ status: 400, code: "AuthorizationQueryParametersError" });
  });
});
