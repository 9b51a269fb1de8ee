import { beforeAll, describe, expect, it } from "vitest";
import { useApi } from "#tests/api";
import { beforeTests } from "#tests/prepare";
import { HOUR_MS, SECRET, sceneOf } from "../engaging.ts";
import { ROOM, sendTo, TEMPLATES } from "../sending.ts";

const api = useApi({ environment: { ENCOURAGEMENT_DROPS_CRON_SECRET: SECRET } });
const SENT = `${ROOM}/sent`;
const NOW = new Date("2031-05-18T12:00:00Z");
const scene = sceneOf(api);
beforeAll(() => api.at(NOW));
const bob = beforeTests(() => api.person({ fullName: "Bob" }));

const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);

describe("GET /api/encouragement-drops/sent", () => {
  it("shows a drop with the recipient's card and no read receipt", async () => {
    const ada = await api.person({ fullName: "Ada" });
    const { drop } = (await sendTo(api, ada, bob, { template_id: TEMPLATES.media })).body;
    const { read_at, ...fields } = drop;
    const { body } = await api.get(SENT, ada);
    const recipient = { id: bob.id, full_name: "Bob", avatar_url: null, is_ai: false };
    const open = { ...fields, recipient, engagement: "open", engaged_at: null, bonus_drops_awarded: 0 };
    expect(body).toEqual({ drops: [open], next_cursor: null });
    await api.post(`${ROOM}/received/${drop.id}/read`, bob);
    expect((await api.get(SENT, ada)).body).toEqual(body);
  });

  it("shows the engagement of each drop: open, engaged, or none if it expired or cannot earn anything", async () => {
    const ada = await api.person();
    const robot = await api.person({ fullName: "Robot" });
    await api.query`update nectar.profiles set is_ai = true where id = ${robot.id}`;
    const quiet = await api.person();
    const engaged = await scene.dropAt(ada.id, bob.id, hoursAgo(5));
    const expired = await scene.dropAt(ada.id, quiet.id, hoursAgo(40));
    const open = await scene.dropAt(ada.id, quiet.id, hoursAgo(1));
    await scene.entryAt(bob.id, hoursAgo(4));
    const toRobot = (await sendTo(api, ada, robot)).body.drop.id;
    await scene.run().ok();
    const { drops } = (await api.get(SENT, ada)).body;
    expect(drops).toMatchObject([
      { id: toRobot, engagement: "none", engaged_at: null, bonus_drops_awarded: 0, recipient: { is_ai: true } },
      { id: open, engagement: "open", engaged_at: null, bonus_drops_awarded: 0 },
      { id: engaged, engagement: "engaged", engaged_at: NOW.toISOString(), bonus_drops_awarded: 2 },
      { id: expired, engagement: "none", engaged_at: null, bonus_drops_awarded: 0 },
    ]);
  });

  it("lists no drops of others to recipients or super admins", async () => {
    const [ada, eve] = [await api.person(), await api.person()];
    await scene.dropAt(ada.id, eve.id, hoursAgo(1));
    const empty = { drops: [], next_cursor: null };
    for (const person of [eve, await api.person({ role: "super_admin" })]) {
      expect(await api.get(SENT, person).ok()).toEqual(empty);
    }
  });
});
