import { describe, expect, it } from "vitest";
import { useApi } from "../../support/api.ts";

const api = useApi();

describe("POST /api/journal", () => {
  it("stores an entry as it was given and answers with it", async () => {
    const ada = await api.person();
    const { status, body } = await api.post("/api/journal", ada, {
      title: "  First day  ",
      content: "It rained.",
      mood: "calm",
      tags: ["#Rain", "rain", "walk"],
    });
    expect(status).toBe(201);
    expect(body.entry).toMatchObject({
      user_id: ada.id,
      title: "First day",
      content: "It rained.",
      content_hidden: false,
      mood: "calm",
      mood_source: "user",
      tags: ["Rain", "walk"],
      metadata_visibility: "user",
      effective_metadata_visibility: "user",
      inherit_visibility: true,
    });
    const read = await api.get(`/api/journal/${body.entry.id}`, ada);
    expect(read.body.entry).toEqual(body.entry);
  });
});
