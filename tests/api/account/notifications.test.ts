import { expect, it } from "vitest";
import { useApi } from "#tests/api";
import { close, runErasures, useErasureVendors, whenDue } from "./vendors.ts";

const { environment } = await useErasureVendors();
const api = useApi({ environment });

it("the name of an erased person is in no notification of others", async () => {
  const [person, other, recipient] = [
    await api.person({ fullName: "Zelda Quill" }),
    await api.person({ fullName: "Ada Bee" }),
    await api.person(),
  ];
  for (const sender of [person, other]) {
    const drop = { recipient_id: recipient.id, content: "Go on." };
    await api.post("/api/encouragement-drops/send", sender, drop).created();
  }
  await api.query`insert into nectar.notifications (user_id, type, data, caused_by)
    select ${recipient.id}, t, '{"full_name": "Zelda Quill", "chips": 12}', ${person.id}
    from unnest('{baton_pass,battle_update}'::nectar.notification_type[]) t`;
  await close(api, person);
  expect(await runErasures(api, whenDue())).toMatchObject({ erased: 1 });
  const { notifications } = await api.get("/api/notifications", recipient).ok();
  expect(notifications.map(({ body }) => body).toSorted()).toEqual([
    "Ada Bee sent you a drop.",
    "Someone brought 12 for your team.",
    "Someone has checked in. You are next.",
    "Someone sent you a drop.",
  ]);
  expect(JSON.stringify(notifications)).not.toContain("Zelda");
});
