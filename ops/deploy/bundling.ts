/**
 * How every function is bundled, in the form of SST's `nodejs` option. The tests and the benchmark bundle with it too, so
 * that they measure what is deployed.
 */
export const BUNDLING = {
  format: "esm" as const,
  // Modules that are imported on first use get files of their own, which a cold start does not read.
  splitting: true,
  minify: true,
  // Deployed beside the code, so that a position in a logged stack can be looked up.
  sourcemap: true,
  // pg requires pg-native only when told to; the others are installed beside the bundles that need them. All three are
  // listed for every function, or SST would install them wherever they are mentioned.
  esbuild: { external: ["pg-native", "libheif-js", "sharp"] },
};

/**
 * Packages that are not bundled. SST has npm install them into the function's `node_modules`, for Linux on the function's
 * architecture: sharp is compiled code, and the license of libheif (LGPL) demands that it can be replaced. The versions are
 * those of package.json.
 */
export const UNBUNDLED_PACKAGES = { "libheif-js": "1.23.2", sharp: "0.35.5" } as const;

/** The name of a package that is installed beside a bundle. */
export type UnbundledPackage = keyof typeof UNBUNDLED_PACKAGES;

/**
 * How to bundle a function that needs these packages beside its bundle, and has these settings inside of it: Lambda takes
 * few bytes of variables, and the secrets need them. A variable of the function overrides a setting.
 */
export function bundlingWith(packages: readonly UnbundledPackage[], settings: Readonly<Record<string, string>>) {
  return {
    ...BUNDLING,
    banner: `for (const [name, value] of Object.entries(${JSON.stringify(settings)})) process.env[name] ??= value;`,
    ...(packages.length > 0 && {
      install: Object.fromEntries(packages.map((name) => [name, UNBUNDLED_PACKAGES[name]])),
    }),
  };
}
