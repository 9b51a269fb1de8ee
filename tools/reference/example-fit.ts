import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import * as z from "zod";

const Media = z.object({ "application/json": z.object({ example: z.unknown().optional() }).optional() });
const Content = z.object({ content: Media.default({}) });
const Document = z.looseObject({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        requestBody: Content.optional(),
        responses: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
});

/**
 * Finds the operations whose examples an OpenAPI document no longer describes: a field is missing, has another type, or is
 * not in the schema any more.
 */
export function misfittingExamples(document: unknown): string[] {
  const { paths } = Document.parse(document);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(Object.assign({}, Object(closed(document)), { $id: "nectar:closed" }));
  const fits = (pointer: readonly string[], media: unknown) => {
    const { "application/json": json } = Content.parse(media).content;
    if (json?.example === undefined) return true;
    const path = [...pointer, "content", "application/json", "schema"].map(escaped).join("/");
    return ajv.validate({ $ref: `nectar:closed#/${path}` }, json.example);
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId, requestBody, responses }]) => {
      const at = ["paths", path, method];
      const success = Object.entries(responses).filter(([status]) => status.startsWith("2"));
      const areFit =
        (requestBody === undefined || fits([...at, "requestBody"], requestBody)) &&
        success.every(([status, response]) => fits([...at, "responses", status], response));
      return areFit ? [] : [operationId];
    }),
  );
}

/** A document whose objects have no other fields than those that their schemas name. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closed(child)]));
  return "type" in value && "properties" in value ? { additionalProperties: false, ...fields } : fields;
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}
