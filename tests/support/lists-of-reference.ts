import { readFileSync } from "node:fs";
import * as z from "zod";

const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string().transform((type) => [type]), z.array(z.string())]).default([]),
  get items() {
    return Schema.optional();
  },
  get properties() {
    return z.record(z.string(), Schema).optional();
  },
  get anyOf() {
    return z.array(Schema).optional();
  },
});
type Schema = z.infer<typeof Schema>;
const Reference = z.object({
  components: z.object({ schemas: z.record(z.string(), Schema) }),
  paths: z.record(z.string(), z.looseObject({ get: z.looseObject({}).optional() })),
});
const Operation = z.object({
  parameters: z.array(z.object({ name: z.string() })).default([]),
  responses: z.record(
    z.string(),
    z.object({ content: z.object({ "application/json": z.object({ schema: Schema }).optional() }).optional() }),
  ),
});

const { paths, components } = Reference.parse(
  JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8")),
);

/** Every GET of the reference whose response is or contains a list. */
export function listsOfReference(): { path: string; isPaged: boolean }[] {
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (get === undefined) return [];
    const { parameters, responses } = Operation.parse(get);
    const schema = responses["200"]?.content?.["application/json"]?.schema;
    if (schema === undefined || !holdsRows(schema, 0)) return [];
    return [{ path, isPaged: parameters.some(({ name }) => name === "cursor") }];
  });
}

function holdsRows(schema: Schema, depth: number): boolean {
  const { type, items, properties } = resolved(schema);
  if (type.includes("array")) return depth === 1 || (items !== undefined && resolved(items).type.includes("object"));
  return depth < 3 && Object.values(properties ?? {}).some((property) => holdsRows(property, depth + 1));
}

/** The schema itself, without a reference to it and without null. */
function resolved(schema: Schema): Schema {
  const target = schema.$ref === undefined ? schema : components.schemas[schema.$ref.split("/").at(-1) ?? ""];
  const [only] = target?.anyOf?.filter(({ type }) => !type.includes("null")) ?? [];
  return only === undefined ? (target ?? schema) : resolved(only);
}
