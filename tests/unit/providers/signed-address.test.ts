import { GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { expect, it } from "vitest";
import { addressSigner } from "#providers/signed-address";

const KEY = "pictures/1b/a file (1)+é'*.jpg";
const BASE = "https://bucket.s3.eu-central-1.amazonaws.com/";
const sign = addressSigner(BASE, "eu-central-1");

it.each([undefined, "a/session+token=="])(
  "an address names the same file as the SDK's, also with temporary credentials: %s",
  async (sessionToken) => {
    const credentials = {
      accessKeyId: "AKIDEXAMPLE",
      secretAccessKey: "secret",
      ...(sessionToken && { sessionToken }),
    };
    const now = new Date("2026-03-04T05:06:07.890Z");
    const client = new S3Client({ region: "eu-central-1", credentials });
    const command = new GetObjectCommand({ Bucket: "bucket", Key: KEY });
    const expected = new URL(await getSignedUrl(client, command, { expiresIn: 60, signingDate: now }));
    const got = new URL(sign(KEY, 60, now, credentials));
    expect(got.origin + got.pathname).toBe(expected.origin + expected.pathname);
    for (const name of ["Algorithm", "Credential", "Date", "Expires", "Security-Token", "SignedHeaders"]) {
      expect(got.searchParams.get(`X-Amz-${name}`)).toBe(expected.searchParams.get(`X-Amz-${name}`));
    }
  },
);

it("a signature is that of the example in Amazon's documentation", () => {
  const credentials = {
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  };
  const address = addressSigner("https://examplebucket.s3.amazonaws.com/", "us-east-1");
  const url = new URL(address("test.txt", 86_400, new Date("2013-05-24T00:00:00Z"), credentials));
  expect(url.searchParams.get("X-Amz-Signature")).toBe(
    "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  );
});
