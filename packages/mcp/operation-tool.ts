import type { Tool } from "@modelcontextprotocol/server";

/** A tool that calls an operation of the API. */
export interface OperationTool extends Pick<Tool, "inputSchema" | "annotations"> {
  /** The id of the operation. */
  readonly name: string;
  /** Its group and its function in the client. */
  readonly call: readonly [group: string, name: string];
  readonly method: string;
  /** The scope that a token needs for it, such as `journal:read`. */
  readonly scope: string;
  readonly description: string;
}
