import { type PushStandIn, startPush } from "#local/stand-ins/push";
import { newVapidKeys } from "#local/stand-ins/vapid-keys";
import { asSuperuser, type Person, signUp } from "#tests/people";

/** A push service, and what a deployed function needs to push to it: keys of its own, not those of the local stack. */
export async function startPushScene(): Promise<{
  service: PushStandIn;
  settings: Record<string, string>;
  secrets: Record<string, string>;
}> {
  const { publicKey, privateKey } = newVapidKeys();
  const service = await startPush({ publicKey });
  return {
    service,
    settings: { VAPID_PUBLIC_KEY: publicKey, PUSH_SERVICE_ORIGINS: service.url },
    secrets: { VAPID_PRIVATE_KEY: privateKey },
  };
}

/** Creates a person with a device, and reminds them to write. */
export async function notifyNewPerson(adminUrl: string, service: PushStandIn): Promise<Person> {
  const person = await signUp(adminUrl);
  const { endpoint, keys } = service.newDevice();
  await asSuperuser(adminUrl, async (client) => {
    await client.query(
      "insert into nectar.push_subscriptions (user_id, endpoint, p256dh, auth) values ($1, $2, $3, $4)",
      [person.id, endpoint, keys.p256dh, keys.auth],
    );
    await client.query("select private.notify($1, 'journal_reminder', '{}')", [person.id]);
  });
  return person;
}

/** The titles of all messages that were received. */
export function titlesAt(service: PushStandIn): unknown[] {
  return service.messages.map(({ text }) => JSON.parse(text ?? "null").title);
}
