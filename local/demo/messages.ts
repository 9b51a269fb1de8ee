import type pg from "pg";
import { messages, personNamed } from "./data.ts";
import { goalId } from "./goals.ts";
import { teamId } from "./groups.ts";
import { entryId } from "./journal.ts";
import { actAs, idOf, localMoment, type Past } from "./past.ts";
import { timeOfDay } from "./rows.ts";

/** Writes what the members of a team wrote to each other; the last messages are unread. */
export async function writeTeamMessages(past: Past): Promise<void> {
  const { client } = past;
  for (const [index, { from, daysAgo, at, text }] of [...messages.read, ...messages.unread].entries()) {
    if (index === messages.read.length) await readMessages(client);
    await actAs(past, from);
    await client.query(
      "insert into nectar.team_messages (team_id, sender_id, content, created_at) values ($1, $2, $3, $4)",
      [teamId(messages.team), idOf(past, from), text, localMoment(past, from, daysAgo, timeOfDay(at, text))],
    );
  }
  await actAs(past, null);
  await client.query(
    `update nectar.notifications n
     set created_at = m.created_at, read_at = case when n.read_at is not null then m.created_at + interval '2 hours' end
     from nectar.team_messages m
     where n.type = 'team_message' and m.room_id = n.room_id and m.content = case when n.read_at is null then $1 else $2 end`,
    [messages.unread[0]?.text, messages.read[0]?.text],
  );
}

/** Writes the comments on what Robin shares. */
export async function writeComments(past: Past): Promise<void> {
  const { client } = past;
  for (const { from, daysAgo, at, text, entry, goal } of messages.comments) {
    await actAs(past, from);
    const [entry_id, goal_id] = [entry && entryId("demo", entry), goal && goalId("demo", goal)];
    await client.query(
      `insert into nectar.team_messages (entry_id, goal_id, sender_id, content, created_at) values ($1, $2, $3, $4, $5)`,
      [entry_id, goal_id, idOf(past, from), text, localMoment(past, from, daysAgo, timeOfDay(at, text))],
    );
  }
  await actAs(past, null);
  await client.query(
    `update nectar.notifications n set created_at = m.created_at
     from (select room_id, min(created_at) as created_at from nectar.team_messages group by room_id) m
     where n.type = 'comment' and m.room_id = n.room_id`,
  );
}

async function readMessages(client: pg.Client): Promise<void> {
  await client.query("update nectar.notifications set read_at = now() where type = 'team_message'");
}

/** Lets Robin, who plays in the demo data, write to the squad of a date, unless there is a message already. */
export async function writeSquadMessage(client: pg.Client, date: string): Promise<void> {
  await client.query(
    `insert into nectar.team_messages (squad_id, sender_id, content)
     select c.squad_id, c.user_id, $3
     from nectar.chains c
     join nectar.accounts a on a.user_id = c.user_id
     where a.email = $1 and c.date = $2 and c.squad_id is not null
       and not exists (select from nectar.team_messages m where m.squad_id = c.squad_id)`,
    [personNamed("demo").email, date, messages.squad],
  );
}
