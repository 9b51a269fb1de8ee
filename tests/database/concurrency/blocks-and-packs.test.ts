import { beforeAll, expect, it } from "vitest";
import { type ApiResponse, useApi } from "#tests/api";
import { beforeEachTest } from "#tests/prepare";
import { makePack, packCalls } from "../../api/tone-packs/making.ts";

/*
 * A pack is shared while its recipient blocks the owner. Both lock the two people as a pair first, then the pack, so
 * neither loses a deadlock. Here a deadlock would last longer than a test may take.
 */

const api = useApi();
beforeAll(async () => {
  const { name } = await api.one`select quote_ident(current_database()) as name`;
  await api.query(`alter database ${name} set deadlock_timeout = '1min'`);
});

const owner = beforeEachTest(() => api.person());
const recipient = beforeEachTest(() => api.person());
const pack = beforeEachTest(() => makePack(api, owner, { is_public: true }));

const share = () => packCalls(api).share(pack.id, owner, { user_id: recipient.id });
const block = () => api.post("/api/blocks", recipient, { user_id: owner.id });

type Request = () => Promise<ApiResponse>;

it.each<[string, first: Request, second: Request, statuses: number[]]>([
  ["a pack is shared before its recipient blocks the owner", share, block, [200, 201]],
  ["a recipient blocks the owner before the pack is shared", block, share, [201, 404]],
])("%s, without a deadlock", async (_, first, second, statuses) => {
  const responses = await api.inTransaction(async ({ query }) => {
    await query`select from nectar.tone_packs where id = ${pack.id} for update`;
    const sent = [first()];
    await api.untilWaiting(1);
    sent.push(second());
    await api.untilWaiting(2);
    await query`rollback`;
    return Promise.all(sent);
  });
  expect(responses.map(({ status }) => status)).toEqual(statuses);
});
