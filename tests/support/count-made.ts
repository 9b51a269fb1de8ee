import { afterAll } from "vitest";
import { type Made, takeMade } from "./made.ts";

declare module "vitest" {
  export interface TaskMeta {
    made?: Made;
  }
}

takeMade();
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads from this pattern which fixtures a hook uses; this one uses none.
afterAll(({}, { file }) => {
  file.meta.made = takeMade();
});
