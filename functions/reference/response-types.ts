import * as z from "zod";

const Schema = z.object({
  $ref: z.string().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.union([z.boolean(), z.record(z.string(), z.unknown())]).optional(),
});

const Content = z.object({ content: z.object({ "application/json": z.object({ schema: z.unknown() }) }) });
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) }))),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

/** A path, segment by segment; a parameter is the segment `{}`. A method leads to the type of its response. */
interface Tree {
  [segment: string]: Tree | string;
}

/**
 * Writes TypeScript types of the successful responses of an OpenAPI document: the named schemas, and `Responses`, a tree
 * of paths and methods.
 * @param document with the kinds of schemas that this project's reference has
 */
export function responseTypes(document: unknown): string {
  const { paths, components } = Document.parse(document);
  const tree: Tree = {};
  const used = new Set<string>();
  for (const [path, operations] of Object.entries(paths)) {
    let node = tree;
    for (const segment of path
      .slice(1)
      .replaceAll(/\{\w+\}/g, "{}")
      .split("/")) {
      const next = node[segment] ?? {};
      if (typeof next === "string") throw new Error(`${path} has the segment ${segment}, which is a method`);
      node[segment] = next;
      node = next;
    }
    for (const [method, { responses }] of Object.entries(operations)) {
      const success = Content.parse(responses["200"] ?? responses["201"]);
      node[method.toUpperCase()] = typeOf(success.content["application/json"].schema, used);
    }
  }
  const declarations = new Map<string, string>();
  // A Set may grow while it is read: a schema names further ones.
  for (const name of used) declarations.set(name, `export type ${name} = ${typeOf(components.schemas[name], used)};`);
  const sorted = [...declarations].toSorted(([one], [other]) => one.localeCompare(other)).map(([, text]) => text);
  return `// Written by \`npm run generate\` from openapi.json.\n\n${sorted.join("\n\n")}\n\nexport interface Responses ${treeText(tree)}\n`;
}

function treeText(tree: Tree, indent = ""): string {
  const inner = `${indent}  `;
  const lines = Object.entries(tree).map(
    ([name, node]) =>
      `${inner}${JSON.stringify(name)}: ${typeof node === "string" ? indented(node, inner) : treeText(node, inner)};`,
  );
  return `{\n${lines.join("\n")}\n${indent}}`;
}

/** The type of what a schema describes. Adds the names that it mentions to `used`. */
function typeOf(given: unknown, used: Set<string>): string {
  const schema = Schema.parse(given);
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace("#/components/schemas/", "");
    used.add(name);
    return name;
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((choice) => typeOf(choice, used)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return "unknown";
  return types.map((type) => typeNamed(type, schema, used)).join(" | ");
}

function typeNamed(type: string, schema: z.infer<typeof Schema>, used: Set<string>): string {
  if (type === "integer") return "number";
  if (type === "array") return `Array<${typeOf(schema.items, used)}>`;
  if (type === "object") return objectType(schema, used);
  if (type === "string" && schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  return type;
}

function objectType({ properties, required, additionalProperties }: z.infer<typeof Schema>, used: Set<string>): string {
  if (properties === undefined) {
    const values = typeof additionalProperties === "object" ? typeOf(additionalProperties, used) : "unknown";
    return `Record<string, ${values}>`;
  }
  const fields = Object.entries(properties).map(
    ([name, property]) =>
      `  ${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${indented(typeOf(property, used), "  ")};`,
  );
  return `{\n${fields.join("\n")}\n}`;
}

function indented(text: string, indent: string): string {
  return text.replaceAll("\n", `\n${indent}`);
}
