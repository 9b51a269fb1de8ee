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
  // pg only asks for pg-native when told to. Naming both here keeps SST from installing them wherever they are mentioned.
  esbuild: { external: ["pg-native", "sharp"] },
};

/**
 * Packages with code for one kind of processor: they lie beside the bundle, in `node_modules` of the function, for which
 * SST has npm install them for Linux on the function's architecture. Versions are those of `package.json`.
 */
const NATIVE_PACKAGES = { sharp: "0.35.5" } as const;

/** The name of a package that cannot be bundled. */
export type NativePackage = keyof typeof NATIVE_PACKAGES;

/** How a function is bundled that uses these native packages. */
export function bundlingWith(packages: readonly NativePackage[]) {
  if (packages.length === 0) return BUNDLING;
  return { ...BUNDLING, install: Object.fromEntries(packages.map((name) => [name, NATIVE_PACKAGES[name]])) };
}
