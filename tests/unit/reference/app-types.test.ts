import { InputData, JSONSchemaInput, type LanguageName, quicktype } from "quicktype-core";
import { expect, test } from "vitest";
import reference from "../../../openapi.json" with { type: "json" };

const STORED = "Clients store any JSON object here.";
const BY_TYPE = "Its fields depend on the type of the notification; new types bring new ones.";
const UNION = "Dart has no union types: these values are numbers or texts, or lists of texts.";

interface Language {
  readonly name: LanguageName;
  /** The types that may be anything. */
  readonly anything: RegExp;
  readonly property: RegExp;
  /** Properties that may be anything, each with the reason. */
  readonly known: Readonly<Record<string, string>>;
}

const LANGUAGES: readonly Language[] = [
  {
    name: "swift",
    anything: /\b(JSONAny|Any)\b/,
    property: /^let (\w+): /,
    known: { settings: STORED, data: BY_TYPE },
  },
  {
    name: "kotlin",
    anything: /\b(JsonElement|JsonObject|Any)\b/,
    property: /^val (\w+): /,
    known: { settings: STORED, data: BY_TYPE },
  },
  {
    name: "dart",
    anything: /\b(dynamic|Object)\b/,
    property: /^final .+ (\w+);$/,
    known: { settings: STORED, data: BY_TYPE, results: UNION, lastResults: UNION, seed: UNION },
  },
];

const { schemas } = reference.components;
/** The names of components that are objects. One that may be null as well is the same type, which may be missing. */
const objects = Object.entries(schemas).flatMap(([name, schema]) =>
  "properties" in schema ? [name.replace(/OrNull$/, "").toLowerCase()] : [],
);

async function typesIn(lang: LanguageName): Promise<string[]> {
  const components = new JSONSchemaInput(undefined);
  await components.addSource({
    name: "components",
    uris: ["#/components/schemas/"],
    schema: JSON.stringify({ components: { schemas } }),
  });
  const inputData = new InputData();
  inputData.addInput(components);
  const { lines } = await quicktype({ inputData, lang, rendererOptions: { "just-types": true } });
  return lines.map((line) => line.trim()).filter((line) => !/^(\/\/|\/\*|\*)/.test(line));
}

test.each(LANGUAGES)("apps in $name get a type for everything but a few properties", async (language) => {
  const lines = await typesIn(language.name);
  const declared = lines.map((line) => line.match(/^(?:data )?(?:class|struct) (\w+)/)?.[1]?.toLowerCase());
  expect(objects.filter((name) => !declared.includes(name))).toEqual([]);
  const untyped = lines.filter((line) => language.anything.test(line));
  const found = untyped.map((line) => line.match(language.property)?.[1] ?? line);
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(language.known).toSorted());
});
