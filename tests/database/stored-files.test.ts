import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { beforeTests } from "#tests/prepare";
import { useActing } from "./support/acting.ts";

// Housekeeping removes what is noted here, so a request of one person must not be able to note a file of another person,
// or to keep one that is to be removed.
const acting = useActing();
let bensPack: string;
const ada = beforeTests(() => acting.person());
const ben = beforeTests(() => acting.person());
beforeAll(async () => {
  bensPack = await packOf(ben.id);
});

async function packOf(owner: string): Promise<string> {
  const id = randomUUID();
  await acting.query`insert into nectar.tone_packs (id, owner_id, name, theme)
    values (${id}, ${owner}, 'Pack', 'nature')`;
  return id;
}

async function noted(): Promise<string[]> {
  const rows = await acting.query<{ path: string }>`select path from private.stored_files_to_remove order by path`;
  return rows.map(({ path }) => path);
}

describe("a private file that a user announces", () => {
  it.each([
    ["backgrounds", ".png"],
    ["checkins", ".jpg"],
    ["checkin-uploads", ""],
    ["pictures", ".jpg"],
    ["picture-uploads", ""],
  ])("gets a path of %s that contains the person and an id of its own", async (kind, ending) => {
    const statement = "select id, path from private.expect_new_file($1)";
    const { rows } = await acting.run({ person: ada.id }, statement, [kind], "keep");
    expect(rows).toEqual([{ id: expect.any(String), path: `${kind}/${ada.id}/${rows[0].id}${ending}` }]);
    expect(await noted()).toContain(rows[0].path);
  });

  it.each(["mosaics", "../checkins", "checkins/other", ""])("cannot be of another kind: %j", async (kind) => {
    expect(await acting.outcome({ person: ada.id }, "select private.expect_new_file($1)", [kind])).toBe(
      "service.unexpected",
    );
  });

  it("needs a user who is signed in", async () => {
    expect(await acting.outcome("anonymous", "select private.expect_new_file('checkins')")).toBe("service.unexpected");
  });
});

it("an upload of a picture is claimed once, by its owner, and not once it is to be removed", async () => {
  const upload = async (person: string) =>
    (await acting.run({ person }, "select path from private.expect_new_file('picture-uploads')", [], "keep")).rows[0];
  const claim = async (person: string, path: string) =>
    (await acting.run({ person }, "select private.claim_picture_upload($1) as claimed", [path], "keep")).rows[0]
      .claimed;
  const { path } = await upload(ada.id);
  expect(await claim(ben.id, path)).toBe(false);
  expect(await claim(ada.id, path)).toBe(true);
  expect(await noted()).toContain(path);
  expect(await claim(ada.id, path)).toBe(false);
  const [{ path: other }] = (
    await acting.run({ person: ada.id }, "select path from private.expect_new_file('pictures')", [], "keep")
  ).rows;
  expect(await claim(ada.id, other)).toBe(false);
});

it("a photo that was refused is forgotten by its owner only, and not once it is to be removed", async () => {
  const expected = "select id, path from private.expect_new_file('checkins')";
  const [{ id, path }] = (await acting.run({ person: ada.id }, expected, [], "keep")).rows;
  const forgottenBy = async (person: string) => {
    await acting.run({ person }, "select private.delete_photo_note($1)", [id], "keep");
    return !(await noted()).includes(path);
  };
  expect(await forgottenBy(ben.id)).toBe(false);
  const due = (interval: string) =>
    acting.query`update private.stored_files_to_remove set remove_after = now() + ${interval}::interval where path = ${path}`;
  await due("0");
  expect(await forgottenBy(ada.id)).toBe(false);
  await due("1 hour");
  expect(await forgottenBy(ada.id)).toBe(true);
});

describe("an image of a tone pack", () => {
  it("is announced once, under a path that begins with the caller's id", async () => {
    const expectImage = async (path: string) => {
      const { rows } = await acting.run(
        { person: ada.id },
        "select private.expect_tone_image($1) as is_new",
        [path],
        "keep",
      );
      return rows[0].is_new;
    };
    const path = `${ada.id}/${randomUUID()}/calm-1.png`;
    expect([await expectImage(path), await expectImage(path)]).toEqual([true, false]);
    for (const foreign of [`${ben.id}/${bensPack}/calm-1.png`, `${ada.id}`, `x/${ada.id}/calm.png`, ""]) {
      expect(await acting.outcome({ person: ada.id }, "select private.expect_tone_image($1)", [foreign])).toBe(
        "service.unexpected",
      );
    }
    expect(await acting.outcome("anonymous", "select private.expect_tone_image($1)", [path])).toBe(
      "service.unexpected",
    );
  });

  it("is in the folder of its pack, so that deleting its row removes no other file", async () => {
    const pack = await packOf(ada.id);
    const insert = "insert into nectar.tone_pack_images (pack_id, tone, file_path) values ($1, 'calm', $2)";
    for (const path of [`${ben.id}/${bensPack}/calm-1.png`, `${ada.id}/${bensPack}/calm-1.png`, "calm-1.png"]) {
      expect(await acting.outcome({ person: ada.id }, insert, [pack, path])).toBe("23514");
    }
    expect(await acting.outcome({ person: ada.id }, insert, [pack, `${ada.id}/${pack}/calm-1.png`])).toBe(1);
  });

  it("stays when its row is written", async () => {
    const pack = await packOf(ada.id);
    const path = (tone: string) => `${ada.id}/${pack}/${tone}.png`;
    for (const tone of ["calm-1", "calm-2"]) {
      await acting.run({ person: ada.id }, "select private.expect_tone_image($1)", [path(tone)], "keep");
    }
    const insert = "insert into nectar.tone_pack_images (pack_id, tone, file_path) values ($1, 'calm', $2)";
    await acting.run({ person: ada.id }, insert, [pack, path("calm-1")], "keep");
    expect(await noted()).not.toContain(path("calm-1"));
    const replace = "update nectar.tone_pack_images set file_path = $2 where pack_id = $1";
    await acting.run({ person: ada.id }, replace, [pack, path("calm-2")], "keep");
    const now = await noted();
    expect([now.includes(path("calm-1")), now.includes(path("calm-2"))]).toEqual([true, false]);
  });
});

it("notes about other paths are written and deleted by functions of the database only", async () => {
  const path = `checkins/${ben.id}/${randomUUID()}.jpg`;
  for (const actor of [{ person: ada.id }, { person: ben.id }, "anonymous", "service"] as const) {
    for (const name of ["expect_file", "keep_file", "discard_file"]) {
      expect(await acting.outcome(actor, `select private.${name}('private', $1)`, [path]), name).toBe("42501");
    }
  }
});
