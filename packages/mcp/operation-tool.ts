import type { Tool } from "@modelcontextprotocol/server";

/** A tool that calls an operation of the API. */
export interface OperationTool {
  /** The id of the operation. */
  readonly name: string;
  /** Its group and its function in the client. */
  readonly call: readonly [group: string, name: string];
  readonly method: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Tool["inputSchema"];
}
