import fc from "fast-check";

// Random cases are the same in every run, so that a change that passed does not fail for somebody else who happens to
// draw a rare one. The long run draws new ones each time; what it finds becomes a case of its own.
if (process.env.NECTAR_TEST_LONG !== "1") fc.configureGlobal({ seed: 20_261_101 });
