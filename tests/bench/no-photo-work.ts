import { registerHooks } from "node:module";

// Preloaded into the service to measure check-ins without the work on photos: they are neither decoded nor stored.
const REPLACED = new Set(["#providers/photos", "#providers/private-files"]);

registerHooks({
  resolve: (specifier, context, next) =>
    REPLACED.has(specifier)
      ? { url: new URL("./photo-stand-ins.ts", import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});
