import type { TestApi } from "#tests/api";
import type { Person } from "#tests/people";

export const ROOM = "/api/encouragement-drops";

/** The reserved user that sends the assistant's drops. */
export const SYSTEM_USER = "00000000-0000-4000-8000-000000000001";

/** The first template of each type of every installation. */
export const TEMPLATES = {
  encouragement: "00000000-0000-4000-8001-100000000001",
  media: "00000000-0000-4000-8001-200000000001",
  science_tidbit: "00000000-0000-4000-8001-300000000001",
} as const;

/** Templates as admins see them. */
export const ADMIN_TEMPLATES = `${ROOM}/admin/templates` as const;

/** The fields of a template that is not approved. */
export const DRAFT = { type: "encouragement", title: "A draft", content: "Not yet" } as const;

/** Creates a template; a draft with the given fields instead of its own. */
export async function createTemplate(api: Pick<TestApi, "post">, admin: Person, fields: object = {}) {
  const body = await api.post(ADMIN_TEMPLATES, admin, { ...DRAFT, ...fields }).created();
  return body.template;
}

/** Sends a template, or the given fields instead. */
export function sendTo(
  api: Pick<TestApi, "post">,
  sender: Person,
  recipient: Person,
  fields: object = { template_id: TEMPLATES.encouragement },
  headers: Record<string, string> = {},
) {
  return api.post(`${ROOM}/send`, sender, { recipient_id: recipient.id, ...fields }, headers);
}

/** Changes the rules behind the API. */
export async function setRules(api: TestApi, rules: Record<string, number>): Promise<void> {
  for (const [name, value] of Object.entries(rules)) {
    await api.query(`update nectar.encouragement_config set ${name} = $1`, [value]);
  }
}

/** Gives a person a bonus by the function that the engagement job calls; 0 gives none. */
export async function giveBonus(api: TestApi, person: Person, moment: string, drops: number): Promise<void> {
  const bonuses = JSON.stringify([{ user_id: person.id, bonus: drops }]);
  await api.query`select private.grant_encouragement_bonus(${bonuses}, ${moment})`;
}

export async function countSent(api: TestApi, person: Person): Promise<number> {
  return (await api.query`select from nectar.encouragement_drops where sender_id = ${person.id}`).length;
}

/** Sets the counts of a person's badge. */
export async function setCounts(api: TestApi, person: Person, sent: number, engaged: number): Promise<void> {
  await api.query`update nectar.user_badges set total_drops_sent = ${sent}, engagement_increases = ${engaged}
    where user_id = ${person.id}`;
}
