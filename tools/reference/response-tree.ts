import { operationTypes } from "./client-types.ts";
import type { Operations } from "./operations.ts";
import { indented } from "./type-text.ts";

/** A path, segment by segment; a parameter is the segment `{}`. A method leads to the name of its response's type. */
interface Tree {
  [segment: string]: Tree | string;
}

/** Writes `Responses`, by which the tests' client finds the type of a response: a tree of paths and methods. */
export function responseTree({ operations }: Operations): string {
  const tree: Tree = {};
  for (const operation of operations) {
    let node = tree;
    const path = operation.path.slice(1).replaceAll(/\{\w+\}/g, "{}");
    for (const segment of path.split("/")) {
      const next = node[segment] ?? {};
      if (typeof next === "string") throw new Error(`${path} has the segment ${segment}, which is a method`);
      node[segment] = next;
      node = next;
    }
    node[operation.method] = `client.${operationTypes(operation).response}`;
  }
  return `// Written by \`npm run generate\` from openapi.json.

import type * as client from "#client/types.generated";

export interface Responses ${treeText(tree)}
`;
}

function treeText(tree: Tree): string {
  const lines = Object.entries(tree).map(([name, node]) =>
    indented(`${JSON.stringify(name)}: ${typeof node === "string" ? node : treeText(node)};`),
  );
  return `{\n${lines.join("\n")}\n}`;
}
