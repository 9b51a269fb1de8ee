import { expect } from "vitest";
import type { TestApi } from "#tests/api";
import type { Person } from "#tests/people";

/** Texts in which the stand-in of the model finds the mood `calm`, `angry`, or none. */
export const CALM = "A calm walk, slow and relaxed.";
export const ANGRY = "I was furious, angry, full of rage.";
export const LIST = "Milk, bread, eggs.";

/** Updates an entry, and returns it as both the response and a later request show it. */
export async function changeEntry(api: TestApi, author: Person, id: string, body: object) {
  const response = await api.put(`/api/journal/${id}`, author, body).ok();
  expect((await api.get(`/api/journal/${id}`, author)).body.entry).toMatchObject(response.entry);
  return response.entry;
}
