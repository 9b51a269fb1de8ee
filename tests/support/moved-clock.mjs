import { ChildProcess } from "node:child_process";

// For runs of the tests under `faketime` (see CONTRIBUTING.md): many children start with an environment of their own, and
// need these variables as well. Chromium crashes with them, and PostgreSQL cannot read FAKETIME_SHARED as another user.
const { LD_PRELOAD, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC } = process.env;
const NODE_OPTIONS = `--import=${import.meta.filename}`;
const MOVED_CLOCK = Object.entries({ LD_PRELOAD, FAKETIME, FAKETIME_DONT_FAKE_MONOTONIC, NODE_OPTIONS });

const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  const envPairs = options.envPairs.filter((pair) => !/^(LD_PRELOAD|FAKETIME\w*|NODE_OPTIONS)=/.test(pair));
  if (!options.file.includes("chrom")) envPairs.push(...MOVED_CLOCK.map(([name, value]) => `${name}=${value}`));
  return spawn.call(this, { ...options, envPairs });
};
