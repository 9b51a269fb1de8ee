import * as z from "zod";
import { JsonSchema, schemaName } from "./json-schema.ts";
import type { Operation, Operations } from "./operations.ts";
import { strictProperties } from "./strict-schema.ts";

/** The arguments of a tool: the parameters of the path, and the fields of the query or body. */
interface Arguments {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

/** The operations with POST that neither overwrite, publish, send nor spend anything. */
const HARMLESS = new Set([
  ...["previewNotebookAudience", "previewJournalEntryAudience", "previewGoalAudience", "readBadges", "analyzeTone"],
  ...["createPictureUpload", "createPhotoUpload", "createWellnessEntry", "awardMonthlyDrops", "updateBadge"],
  ...["markNotificationRead", "markAllNotificationsRead", "markDropRead"],
]);

/** The operations whose results have nothing that other people wrote, and that reach nobody else. */
const AMONG_ONESELF = new Set([
  ...[
    "readProfile",
    "updateProfile",
    "listJournalTags",
    "listTrash",
    "listJournalEntriesOnThisDay",
    "readJournalStats",
  ],
  ...["drawMoodCalendar", "listMoods", "deleteTrashedEntry", "createPictureUpload", "analyzeTone", "listBackgrounds"],
  ...["readDropsBalance", "awardMonthlyDrops", "listWellnessEntries", "createWellnessEntry", "updateWellnessEntry"],
  ...["deleteWellnessEntry", "markAllNotificationsRead", "readNotificationSettings", "updateNotificationSettings"],
  ...["readPushKey", "deletePushSubscription", "readDropAllowance", "readDropConfig", "readBadge", "updateBadge"],
  ...[
    "listBadgeMilestones",
    "listBadgeDefinitions",
    "readWorkoutWindow",
    "readTeamStats",
    "readMosaic",
    "createPhotoUpload",
  ],
  ...["listWeeklyStats", "readStreak", "readWorkoutCalendar", "readAssistantSettings", "updateAssistantSettings"],
  ...["listAnalysisSources", "deleteNoteAnalyses", "listChanges"],
]);

/** The start screen is for apps: other tools have all that it shows. */
const START_SCREEN = "readToday";

/**
 * Writes the tools of the MCP package: one for each operation that personal tokens may call, unless it takes a form or is
 * for the screen of an app.
 */
export function mcpTools({ operations, schemas }: Operations, version: string): string {
  const tools = operations
    .filter(({ id, scopes, body }) => scopes.length > 0 && body?.isForm !== true && id !== START_SCREEN)
    .map((operation) => toolOf(operation, schemas));
  const names = new Set(tools.map(({ name }) => name));
  const unknown = [...HARMLESS, ...AMONG_ONESELF].filter((name) => !names.has(name));
  if (unknown.length > 0) throw new Error(`There are no tools ${unknown.join(", ")}`);
  return `// Written by \`npm run generate\` from openapi.json.

import type { OperationTool } from "./operation-tool.ts";

export const VERSION = ${JSON.stringify(version)};

export const TOOLS: readonly OperationTool[] = [
${tools.map((tool) => `  ${JSON.stringify(tool)},\n`).join("")}];
`;
}

function toolOf(operation: Operation, schemas: Schemas) {
  const { id, group, name, method, scopes, summary, description, parameters, body } = operation;
  const { properties, required } = body === null ? { properties: {}, required: [] } : fieldsOf(body.schema, schemas);
  const ofAddress = parameters.map((parameter) => [
    parameter.name,
    { ...Json.parse(inlined(parameter.schema, schemas)), description: parameter.description },
  ]);
  return {
    name: id,
    call: [group, name],
    method,
    scopes,
    description: description === undefined ? `${summary}.` : `${summary}. ${description}`,
    inputSchema: {
      type: "object",
      properties: ownByDefault(strictProperties({ ...Object.fromEntries(ofAddress), ...properties })),
      required: [
        ...parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
        ...required,
      ],
    },
    annotations: {
      title: summary,
      readOnlyHint: method === "GET",
      destructiveHint: method !== "GET" && !HARMLESS.has(id),
      openWorldHint: !AMONG_ONESELF.has(id),
    },
  };
}

/** A model that does not ask for things of others gets none. */
function ownByDefault({ scope, ...properties }: Readonly<Record<string, unknown>>) {
  return scope === undefined ? properties : { ...properties, scope: { ...Json.parse(scope), default: "own" } };
}

type Schemas = Operations["schemas"];
const Json = z.record(z.string(), z.unknown());

/** The fields of a body. Hosts refuse alternatives at the top, so these become fields that are not always required. */
function fieldsOf(schema: unknown, schemas: Schemas): Arguments {
  const { oneOf, properties = {}, required = [] } = JsonSchema.parse(inlined(schema, schemas));
  if (oneOf === undefined) return { properties, required };
  const variants = oneOf.map((variant) => fieldsOf(variant, schemas));
  const names = [...new Set(variants.flatMap((variant) => Object.keys(variant.properties)))];
  const alternativesOf = (name: string) => {
    const texts = variants.flatMap((variant) => JSON.stringify(variant.properties[name]) ?? []);
    const distinct = [...new Set(texts)].map((text): unknown => JSON.parse(text));
    return distinct.length === 1 ? distinct[0] : { anyOf: distinct };
  };
  return {
    properties: Object.fromEntries(names.map((name) => [name, alternativesOf(name)])),
    required: names.filter((name) => variants.every((variant) => variant.required.includes(name))),
  };
}

/** A schema with the named schemas that it refers to in their places. */
function inlined(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, schemas));
  if (typeof value !== "object" || value === null) return value;
  if ("$ref" in value) return inlined(schemas[schemaName(String(value.$ref))], schemas);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, inlined(child, schemas)]));
}
