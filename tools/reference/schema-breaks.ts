import { JsonSchema, schemaName } from "./json-schema.ts";

type Named = Readonly<Record<string, unknown>>;

/** A schema and the named schemas that it may refer to. */
export interface Described {
  readonly schema: unknown;
  readonly schemas: Named;
}

/** The direction of a value: from the client to the service, or back. */
export type Direction = "input" | "output";

const LOWER_BOUNDS = ["minLength", "minimum", "exclusiveMinimum", "minItems"] as const;
const UPPER_BOUNDS = ["maxLength", "maximum", "maxItems"] as const;
/** What `propertyNames` says where it is missing: a name is always a text. */
const ANY_NAME = { type: "string" };

/**
 * What a change of a schema breaks for clients that were written for the old one: the service must still take what they
 * send, and send nothing that they do not know. More fields in responses and more optional ones in requests break nothing.
 * @param where the field, such as `entry.tags[]`; empty for the whole body
 * @returns sentences without their subject's operation
 */
export function schemaBreaks(before: Described, after: Described, direction: Direction, where = ""): string[] {
  return breaks(before, after, direction, where, new Set());
}

function breaks(
  before: Described,
  after: Described,
  direction: Direction,
  where: string,
  seen: ReadonlySet<string>,
): string[] {
  const names = JSON.stringify([refOf(before), refOf(after)]);
  if (refOf(before) !== undefined && seen.has(names)) return [];
  const nested = new Set([...seen, names]);
  const [was, is] = [alternatives(before), alternatives(after)];
  // Every value that may be sent must be one that the other side accepts.
  const [sent, accepted] = direction === "input" ? [was, is] : [is, was];
  const compare = (one: JsonSchema, other: JsonSchema) => {
    const [old, now] = direction === "input" ? [one, other] : [other, one];
    return alternativeBreaks(
      { ...before, schema: old },
      { ...after, schema: now },
      direction,
      where,
      (oldChild, newChild, at) => breaks(oldChild, newChild, direction, at, nested),
    );
  };
  return sent.flatMap((value) => {
    if (accepted.some(isAnything)) return [];
    const candidates = accepted.filter((other) => acceptsType(other, value)).map((other) => compare(value, other));
    const fewest = candidates.toSorted((one, other) => one.length - other.length)[0];
    if (fewest !== undefined) return fewest;
    return [
      direction === "input"
        ? `${name(where)} no longer takes ${nameOf(value)}`
        : `${name(where)} may be ${nameOf(value)} now`,
    ];
  });
}

type CompareChild = (before: Described, after: Described, where: string) => string[];

/** Compares two alternatives of the same type. */
function alternativeBreaks(
  before: Described & { readonly schema: JsonSchema },
  after: Described & { readonly schema: JsonSchema },
  direction: Direction,
  where: string,
  compareChild: CompareChild,
): string[] {
  const [was, is] = [before.schema, after.schema];
  // Without a schema, anything may be there.
  const child = (old: unknown = {}, now: unknown = {}, at: string) =>
    compareChild({ ...before, schema: old }, { ...after, schema: now }, at);
  return [
    ...valueBreaks(was, is, direction, where),
    ...(direction === "input" ? boundBreaks(was, is, where) : []),
    ...formatBreaks(was, is, direction, where),
    ...fieldBreaks(was, is, direction, where, child),
    ...child(was.items, is.items, `${where}[]`),
    ...otherFieldBreaks(was, is, direction, where, child),
  ];
}

/** Compares what is allowed beside the listed fields: the values of a record, and their names. */
function otherFieldBreaks(
  { additionalProperties: old = true, propertyNames: oldNames }: JsonSchema,
  { additionalProperties: now = true, propertyNames: newNames }: JsonSchema,
  direction: Direction,
  where: string,
  child: (old: unknown, now: unknown, at: string) => string[],
): string[] {
  if (old === false) return [];
  if (now === false) return direction === "input" ? [`${name(where)} takes no other fields now`] : [];
  const values = child(old === true ? {} : old, now === true ? {} : now, `${where}.*`);
  if (oldNames === undefined && newNames === undefined) return values;
  return [...values, ...child(oldNames ?? ANY_NAME, newNames ?? ANY_NAME, `${where}.<name>`)];
}

function fieldBreaks(
  was: JsonSchema,
  is: JsonSchema,
  direction: Direction,
  where: string,
  child: (old: unknown, now: unknown, at: string) => string[],
): string[] {
  const at = (field: string) => (where === "" ? field : `${where}.${field}`);
  const { properties: old = {}, required: wasRequired = [] } = was;
  const { properties: now = {}, required: isRequired = [] } = is;
  const kept = Object.entries(old).flatMap(([field, schema]) => {
    if (!(field in now)) return [`${name(at(field))} is gone`];
    const becameOptional = wasRequired.includes(field) && !isRequired.includes(field);
    return [
      ...(direction === "output" && becameOptional ? [`${name(at(field))} may be missing now`] : []),
      ...child(schema, now[field], at(field)),
    ];
  });
  const required = direction === "input" ? isRequired.filter((field) => !wasRequired.includes(field)) : [];
  return [...kept, ...required.map((field) => `${name(at(field))} is required now`)];
}

function valueBreaks(was: JsonSchema, is: JsonSchema, direction: Direction, where: string): string[] {
  const [old, now] = [valuesOf(was), valuesOf(is)];
  if (direction === "input") {
    if (now === null) return [];
    if (old === null) return [`${name(where)} only takes ${listed(now)} now`];
    return old.filter((value) => !now.includes(value)).map((value) => `${name(where)} no longer takes ${value}`);
  }
  if (old === null) return [];
  if (now === null) return [`${name(where)} may be any ${nameOf({ ...is, enum: undefined })} now`];
  return now.filter((value) => !old.includes(value)).map((value) => `${name(where)} may be ${value} now`);
}

/** The values of an enum or constant as JSON, null if any value is one. */
function valuesOf({ enum: values, const: constant }: JsonSchema): string[] | null {
  if (constant !== undefined) return [JSON.stringify(constant)];
  return values?.map((value) => JSON.stringify(value)) ?? null;
}

function boundBreaks(was: JsonSchema, is: JsonSchema, where: string): string[] {
  const narrower = (bound: (typeof LOWER_BOUNDS | typeof UPPER_BOUNDS)[number], isNarrower: boolean) =>
    isNarrower ? [`${name(where)} has the ${bound} ${is[bound]} now, instead of ${was[bound] ?? "none"}`] : [];
  return [
    ...LOWER_BOUNDS.flatMap((bound) => narrower(bound, (is[bound] ?? -Infinity) > (was[bound] ?? -Infinity))),
    ...UPPER_BOUNDS.flatMap((bound) => narrower(bound, (is[bound] ?? Infinity) < (was[bound] ?? Infinity))),
  ];
}

function formatBreaks(was: JsonSchema, is: JsonSchema, direction: Direction, where: string): string[] {
  if (direction === "output") {
    return was.format === undefined || was.format === is.format ? [] : [`${name(where)} is no longer a ${was.format}`];
  }
  return (["format", "pattern"] as const).flatMap((rule) =>
    is[rule] === undefined || is[rule] === was[rule] ? [] : [`${name(where)} must have the ${rule} ${is[rule]} now`],
  );
}

/** Each choice and each type of a schema by itself, references followed. */
function alternatives({ schema, schemas }: Described): JsonSchema[] {
  const parsed = JsonSchema.parse(schema);
  if (parsed.$ref !== undefined) return alternatives({ schema: schemas[schemaName(parsed.$ref)], schemas });
  const choices = parsed.anyOf ?? parsed.oneOf;
  if (choices !== undefined) return choices.flatMap((choice) => alternatives({ schema: choice, schemas }));
  if (!Array.isArray(parsed.type)) return [parsed];
  const values = parsed.enum?.filter((value) => value !== null);
  return parsed.type.map((type) => (type === "null" ? { type } : { ...parsed, type, enum: values }));
}

function acceptsType(accepted: JsonSchema, { type }: JsonSchema): boolean {
  return accepted.type === undefined || accepted.type === type || (accepted.type === "number" && type === "integer");
}

function isAnything(schema: JsonSchema): boolean {
  return schema.type === undefined && valuesOf(schema) === null;
}

function refOf({ schema }: Described): string | undefined {
  return JsonSchema.parse(schema).$ref;
}

function name(where: string): string {
  return where === "" ? "the body" : `\`${where}\``;
}

function nameOf(schema: JsonSchema): string {
  const values = valuesOf(schema);
  if (values !== null) return listed(values);
  return schema.type === undefined ? "any value" : `${schema.type}`;
}

function listed(values: readonly string[]): string {
  return values.join(" or ");
}
