import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { write } from "#tests/groups";
import { beforeTests } from "#tests/prepare";

const api = useApi();

// A change of a notebook writes only its newest entry at once.
beforeTests(
  () =>
    api.query`
    create or replace function private.max_settled_at_once() returns integer
      language sql immutable security invoker return 1
  `,
);

it.each([
  ["made private", "content_visibility = 'user'"],
  ["hidden by an admin", "hidden_at = now()"],
])("no content is inherited from a notebook that was %s, whatever is not written yet", async (_, change) => {
  const [author, reader] = [await api.person(), await api.person()];
  const diary = { name: "Diary", content_visibility: "public" };
  const { notebook } = await api.post("/api/notebooks", author, diary).created();
  for (const title of ["Monday", "Tuesday"]) {
    await write(api, author, { title, notebook_id: notebook.id, metadata_visibility: "public" });
  }
  const readable = () =>
    api.database.asUser(reader.id, (tx) =>
      tx.selectFrom("journal_entry_contents").select("content").where("user_id", "=", author.id).execute(),
    );
  expect(await readable()).toHaveLength(2);
  // By SQL, so that no task writes the other entry meanwhile.
  await api.query(`update nectar.notebooks set ${change} where id = $1`, [notebook.id]);
  expect(await readable()).toEqual([]);
});
