import { pathToFileURL } from "node:url";

// Replaces Lambda's runtime: loads the given bundle and passes it one event after the other.
const [, , entry = ""] = process.argv;
const { handler }: Record<string, unknown> = await import(pathToFileURL(entry).href);
if (typeof handler !== "function") throw new Error("The bundle exports no handler.");

process.on("message", async (event) => {
  try {
    process.send?.({ result: await handler(event, { awsRequestId: "test", functionName: "test" }) });
  } catch (error) {
    process.send?.({ failure: error instanceof Error ? error.message : String(error) });
  }
});
process.send?.({ ready: true });
