import { expect, test } from "vitest";
import { missingPackages } from "#local/failover/cluster";
import { runProgram } from "./dev-process.ts";

const missing = missingPackages();
const drill = () => runProgram("../../local/failover/cli.ts", ["20"], {});

test("npm run failover:drill loses nothing", async (context) => {
  context.skip(missing.length > 0, `not installed: ${missing.join(", ")}`);
  expect(await drill()).toEqual({ code: 0, output: expect.stringContaining("Nothing was lost.") });
});

test("without its packages, npm run failover:drill names them", async (context) => {
  context.skip(missing.length === 0, "they are installed");
  expect(await drill()).toEqual({ code: 1, output: expect.stringContaining(`apt-get install ${missing.join(" ")}`) });
});
