import pg from "pg";
import * as z from "zod";
import type { Tx } from "#database/database";
import { transactionOn } from "#database/transaction";
import { valueTypes } from "#database/value-types";
import { become } from "../support/acting.ts";

/** How a table was gone through, in any of the queries that ran. */
export interface Walk {
  readonly table: string;
  /** Null for a walk through the whole table. */
  readonly index: string | null;
  /** Rows that were looked at in total, those that were thrown away included. */
  readonly rows: number;
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string | undefined;
  readonly "Index Name"?: string | undefined;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number | undefined;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: PlanNode[] | undefined;
}

const PlanNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    "Node Type": z.string(),
    "Relation Name": z.string().optional(),
    "Index Name": z.string().optional(),
    "Actual Rows": z.number(),
    "Actual Loops": z.number(),
    "Rows Removed by Filter": z.number().optional(),
    "Shared Hit Blocks": z.number(),
    "Shared Read Blocks": z.number(),
    Plans: z.array(PlanNode).optional(),
  }),
);
/** A message of auto_explain: the time that a statement took, and its plan as JSON. */
const EXPLAINED = /^duration: [\d.]+ ms {2}plan:\n(\{.*\})$/s;
const Explained = z.object({ Plan: PlanNode });

/**
 * Runs queries of the API as a person, or as the service, and collects how the database executed every statement, those
 * inside of functions included.
 * @param adminUrl only a superuser may turn auto_explain on; the queries run in the role of the person or the service
 */
export async function explainAs(adminUrl: string, person: string, work: (tx: Tx) => Promise<unknown>): Promise<Walk[]> {
  return (await plansOf(adminUrl, person, work)).flatMap(walksOf);
}

/** Runs a query like `explainAs`, and counts the pages that it read, those of statements inside of functions included. */
export async function countPages(
  adminUrl: string,
  person: string,
  work: (tx: Tx) => Promise<unknown>,
): Promise<number> {
  const plans = await plansOf(adminUrl, person, work);
  return Math.max(...plans.map((plan) => plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]));
}

async function plansOf(adminUrl: string, person: string, work: (tx: Tx) => Promise<unknown>): Promise<PlanNode[]> {
  const client = new pg.Client({ connectionString: adminUrl, types: valueTypes });
  const plans: PlanNode[] = [];
  await client.connect();
  try {
    await client.query("load 'auto_explain'");
    await client.query("begin");
    for (const setting of ["log_analyze", "log_buffers", "log_nested_statements"]) {
      await client.query(`set local auto_explain.${setting} = on`);
    }
    await client.query("set local auto_explain.log_format = json");
    await client.query("select set_config('search_path', 'nectar', true), set_config('timezone', 'UTC', true)");
    await client.query("set local client_min_messages = log");
    await client.query("set local auto_explain.log_min_duration = 0");
    await become(client, person === "service" ? "service" : { person });
    client.on("notice", ({ message = "" }) => {
      const [, plan] = EXPLAINED.exec(message) ?? [];
      if (plan !== undefined) plans.push(Explained.parse(JSON.parse(plan)).Plan);
    });
    await work(transactionOn(client));
    // The plan of a statement is written when it is closed, which the next statement does.
    await client.query("reset client_min_messages");
    return plans;
  } finally {
    await client.end();
  }
}

function walksOf(node: PlanNode): Walk[] {
  const below = (node.Plans ?? []).flatMap(walksOf);
  const table = node["Relation Name"];
  // A walk that was never begun costs nothing.
  if (table === undefined || node["Actual Loops"] === 0) return below;
  const rows = (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
  return [{ table, index: node["Index Name"] ?? bitmapIndexOf(node), rows: Math.round(rows) }, ...below];
}

function bitmapIndexOf(node: PlanNode): string | null {
  if (node["Node Type"] !== "Bitmap Heap Scan") return null;
  return (node.Plans ?? []).map((plan) => plan["Index Name"]).find((name) => name !== undefined) ?? null;
}
