import type { Tx } from "@nectar/database/database";
import { transactionOn } from "@nectar/database/transaction";
import { valueTypes } from "@nectar/database/value-types";
import pg from "pg";
import * as z from "zod";
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
    Plans: z.array(PlanNode).optional(),
  }),
);
const Explained = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: PlanNode })]) })]);

/**
 * Runs a query of the API as a person, or as the service, and tells how the database went about everything that was asked: each statement is
 * explained as it is sent, with its real numbers, and then run.
 */
export async function explainAs(url: string, person: string, work: (tx: Tx) => Promise<unknown>): Promise<Walk[]> {
  const client = new pg.Client({ connectionString: url, types: valueTypes });
  await client.connect();
  const plans: PlanNode[] = [];
  const query = client.query.bind(client);
  try {
    await query("begin");
    await become(client, person === "service" ? "service" : { person });
    await query("select set_config('search_path', 'nectar', true), set_config('timezone', 'UTC', true)");
    client.query = new Proxy(client.query, {
      async apply(_target, _self, [text, values]: [string, unknown[]]) {
        const { rows } = await query(`explain (analyze, format json) ${text}`, values);
        const [
          {
            "QUERY PLAN": [{ Plan: plan }],
          },
        ] = Explained.parse(rows);
        plans.push(plan);
        return query(text, values);
      },
    });
    await work(transactionOn(client));
    return plans.flatMap(walksOf);
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
