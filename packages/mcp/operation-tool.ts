import type { Tool } from "@modelcontextprotocol/server";

/** A tool that calls an operation of the API. */
export interface OperationTool extends Pick<Tool, "inputSchema" | "annotations"> {
  /** The id of the operation. */
  readonly name: string;
  /** Its group and its function in the client. */
  readonly call: readonly [group: string, name: string];
  readonly method: string;
  /** The scopes, any of which lets a token use it, such as `journal:read`. */
  readonly scopes: readonly string[];
  readonly description: string;
}
