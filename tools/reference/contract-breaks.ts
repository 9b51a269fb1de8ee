import type { Contract } from "./contract.ts";
import { schemaBreaks } from "./schema-breaks.ts";

type Promised = Contract["operations"][string];

/** Changes that break clients of a released contract, a sentence each. */
export function contractBreaks(released: Contract, present: Contract): string[] {
  return Object.entries(released.operations).flatMap(([operation, was]) => {
    const is = present.operations[operation];
    if (is === undefined) return [`${operation} is gone.`];
    const found = [
      ...callBreaks(was, is),
      ...parameterBreaks(was, is, released, present),
      ...bodyBreaks(was, is, released, present),
      ...schemaBreaks(
        { schema: was.response, schemas: released.schemas },
        { schema: is.response, schemas: present.schemas },
        "output",
      ).map((found) => `in the response, ${found}`),
    ];
    return found.map((sentence) => `${operation}: ${sentence}.`);
  });
}

/**
 * Whether a version may break what the released one promised: a new major version may, and before 1.0 a new minor one.
 * @param released such as `0.1.0`
 */
export function mayBreak(released: string, present: string): boolean {
  const [major = 0, minor = 0] = released.split(".").map(Number);
  const [newMajor = 0, newMinor = 0] = present.split(".").map(Number);
  return newMajor > major || (major === 0 && newMajor === 0 && newMinor > minor);
}

function callBreaks(was: Promised, is: Promised): string[] {
  const refused = was.security.filter((scheme) => !is.security.includes(scheme));
  return [
    ...(was.function === is.function ? [] : [`nectar.${was.function} is called nectar.${is.function} now`]),
    ...(was.security.length === 0 && is.security.length > 0 ? [`it needs ${is.security.join(" or ")} now`] : []),
    ...(is.security.length > 0 ? refused.map((scheme) => `it no longer accepts ${scheme}`) : []),
    ...(was.takesIdempotencyKey && !is.takesIdempotencyKey ? ["it no longer takes Idempotency-Key"] : []),
    ...(was.status === is.status ? [] : [`it responds ${is.status} instead of ${was.status}`]),
  ];
}

function parameterBreaks(was: Promised, is: Promised, released: Contract, present: Contract): string[] {
  const kept = was.parameters.flatMap((old) => {
    const now = is.parameters.find((parameter) => parameter.in === old.in && parameter.name === old.name);
    if (now === undefined) return [`the parameter \`${old.name}\` is gone`];
    const found = schemaBreaks(
      { schema: old.schema, schemas: released.schemas },
      { schema: now.schema, schemas: present.schemas },
      "input",
      old.name,
    );
    const becameRequired = now.required && !old.required ? [`\`${old.name}\` is required now`] : [];
    return [...found, ...becameRequired].map((sentence) => `the parameter ${sentence}`);
  });
  const names = new Set(was.parameters.map((parameter) => parameter.name));
  const added = is.parameters.filter((parameter) => parameter.required && !names.has(parameter.name));
  return [...kept, ...added.map((parameter) => `the parameter \`${parameter.name}\` is new and required`)];
}

function bodyBreaks(was: Promised, is: Promised, released: Contract, present: Contract): string[] {
  if (was.body === null) return is.body?.isRequired === true ? ["it needs a body now"] : [];
  if (is.body === null) return ["it no longer takes a body"];
  if (was.body.isForm !== is.body.isForm) return [`its body is ${is.body.isForm ? "a form" : "JSON"} now`];
  return [
    ...(is.body.isRequired && !was.body.isRequired ? ["its body is required now"] : []),
    ...schemaBreaks(
      { schema: was.body.schema, schemas: released.schemas },
      { schema: is.body.schema, schemas: present.schemas },
      "input",
    ).map((sentence) => `in the request, ${sentence}`),
  ];
}
