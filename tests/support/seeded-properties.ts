import fc from "fast-check";
import { LONG } from "./long.ts";

// Random cases are the same in every run, so that a change that passed does not fail for somebody else who happens to
// draw a rare one. The long run draws new ones each time; what it finds becomes a case of its own.
if (!LONG) fc.configureGlobal({ seed: 20_261_101 });
