import { expect, it } from "vitest";
import { demoSecretProblems } from "#config/demo-secrets";

const PUBLISHED = "DATABASE_URL: has a published password of `npm run dev`";

it.each([
  ["postgres://nectar_api:nectar-api-local@db.example.com/postgres", [PUBLISHED]],
  ["postgres://nectar_api:nectar%2Dapi%2Dlocal@db.example.com/postgres", [PUBLISHED]],
  ["postgres://nectar_api@db.example.com/postgres?password=nectar-api-local", [PUBLISHED]],
  ["postgres://nectar_api:own@db.example.com/postgres?sslmode=require&password=postgres", [PUBLISHED]],
  ["postgres://nectar_api:own@db.example.com/postgres?application_name=postgres", []],
  ["postgres://nectar_api:100%@db.example.com/postgres", []],
  ["not an address", []],
])("a published password is found wherever an address has it: %s", (address, problems) => {
  expect(demoSecretProblems({ DATABASE_URL: address })).toEqual(problems);
});
