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
  // pg only asks for pg-native when told to, and the others are installed beside the bundle where they are needed. Naming all
  // of them here keeps SST from installing them wherever they are mentioned.
  esbuild: { external: ["pg-native", "libheif-js", "sharp"] },
};

/**
 * Packages that are not part of a bundle: they lie beside it, in `node_modules` of the function, where SST has npm install them
 * for Linux on the function's architecture. sharp is code for one kind of processor. libheif is licensed under the LGPL, which
 * lets anyone who gets a function replace it with another version. Versions are those of `package.json`.
 */
const UNBUNDLED_PACKAGES = { "libheif-js": "1.23.2", sharp: "0.35.5" } as const;

/** The name of a package that lies beside a bundle. */
export type UnbundledPackage = keyof typeof UNBUNDLED_PACKAGES;

/** How a function is bundled that has these packages beside its bundle. */
export function bundlingWith(packages: readonly UnbundledPackage[]) {
  if (packages.length === 0) return BUNDLING;
  return { ...BUNDLING, install: Object.fromEntries(packages.map((name) => [name, UNBUNDLED_PACKAGES[name]])) };
}
