import { type CallToolResult, Server, type Tool } from "@modelcontextprotocol/server";
import { type Nectar, NectarError } from "@nectar/client";
import type { OperationTool } from "./operation-tool.ts";
import { TOOLS, VERSION } from "./tools.generated.ts";

/** Serves the operations of the API as tools. @param canWrite whether those that change something are among them */
export function serverOf(nectar: Nectar, canWrite: boolean): Server {
  const tools = TOOLS.filter(({ method }) => canWrite || method === "GET");
  const server = new Server({ name: "nectar", version: VERSION }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(listed) }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) return failed(new Error(reasonWithout(params.name)));
    const [group, name] = tool.call;
    const call: unknown = Reflect.get(Object(Reflect.get(nectar, group)), name);
    if (typeof call !== "function") throw new Error(`The client has no function ${group}.${name}.`);
    try {
      const result: unknown = await call(params.arguments, { signal: mcpReq.signal });
      return { content: [{ type: "text", text: typeof result === "string" ? result : JSON.stringify(result) }] };
    } catch (error) {
      return failed(error);
    }
  });
  return server;
}

function listed({ name, method, title, description, inputSchema }: OperationTool): Tool {
  const annotations = { readOnlyHint: method === "GET", destructiveHint: method === "DELETE" };
  return { name, title, description, inputSchema, annotations };
}

function reasonWithout(name: string): string {
  return TOOLS.some((tool) => tool.name === name)
    ? `${name} changes something. Ask the user to start @nectar/mcp with --write.`
    : `There is no tool ${name}.`;
}

/** A result that says what went wrong, so that the model can correct its call. */
function failed(error: unknown): CallToolResult {
  const message = error instanceof Error ? error.message : "The call failed.";
  const details =
    error instanceof NectarError
      ? { code: error.code, status: error.status, issues: error.issues, retry_after_seconds: error.retryAfterSeconds }
      : {};
  const text = JSON.stringify({ error: message, ...details });
  return { isError: true, content: [{ type: "text", text }] };
}
