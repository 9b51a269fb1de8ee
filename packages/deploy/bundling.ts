/**
 * How every function is bundled, in the form that SST's `nodejs` option takes. `sst.config.ts` passes it on; the tests
 * and the benchmark bundle with it too, so that what they measure is what is deployed.
 */
export const BUNDLING = {
  format: "esm" as const,
  // What is imported on first use stays in files of its own, and a cold start does not read them.
  splitting: true,
  minify: true,
  // In the package, beside the code, so that a position in a logged stack can be looked up.
  sourcemap: true,
  // pg only asks for it when told to; naming it here also keeps SST from installing it into the package.
  esbuild: { external: ["pg-native"] },
};
