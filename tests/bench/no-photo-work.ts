import { registerHooks } from "node:module";
import type { examinePhoto as examine, reducePhoto as reduce } from "#providers/photos";
import type { s3Files as files } from "#providers/private-files";
import { randomHash } from "./hot-writes.ts";

// Preloaded into the service to measure check-ins without the work on photos: they are neither decoded nor stored. This
// module takes the place of those that would do it.
const REPLACED = new Set(["#providers/photos", "#providers/private-files"]);

registerHooks({
  resolve: (specifier, context, next) =>
    REPLACED.has(specifier) ? { url: import.meta.url, shortCircuit: true } : next(specifier, context),
});

/** Takes every photo for one that was taken now and is like no other. */
export const examinePhoto: typeof examine = async () => ({
  jpeg: new Uint8Array(),
  perceptualHash: randomHash(),
  claims: {
    takenAt: new Date().toISOString().slice(0, 19),
    takenOffset: "+00:00",
    isEdited: false,
    isScreenshot: false,
  },
});

/** Takes every picture for one of a pixel. */
export const reducePhoto: typeof reduce = async () => ({
  jpeg: new Uint8Array(1),
  thumbnail: new Uint8Array(1),
  width: 1,
  height: 1,
});

/** A store that keeps nothing. */
export const s3Files: typeof files = () => ({
  upload: async () => undefined,
  remove: async () => undefined,
  signedUrl: async (key) => `https://files.example/${key}`,
  signedUpload: async (key) => `https://files.example/${key}`,
  download: async () => null,
  describe: async () => null,
  async *list() {},
  downloadTo: async () => "missing",
  uploadStream: async () => undefined,
  abortUploads: async () => undefined,
});
