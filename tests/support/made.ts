import { subscribe } from "node:diagnostics_channel";
import { DATABASE_CREATED } from "#local/database/test-cluster";

/** What a test file made while it ran. */
export interface Made {
  readonly databases: number;
  readonly processes: number;
}

let databases = 0;
let processes = 0;
subscribe(DATABASE_CREATED, () => {
  databases += 1;
});
// Node publishes every child process there, whichever function started it.
subscribe("child_process", () => {
  processes += 1;
});

/** Returns what was made since the last call. Test files take turns in a process, so that is what one file made. */
export function takeMade(): Made {
  const made = { databases, processes };
  databases = 0;
  processes = 0;
  return made;
}
