import type pg from "pg";
import { goals } from "./goals.ts";
import { momentOf } from "./moment-sql.ts";
import { stableId, timeOfDay } from "./stable.ts";
import { wellness } from "./wellness.ts";

/** Writes goals of the people in demo_people with their check-ins; a goal ends after the last of them. */
export async function writeGoals(client: pg.Client): Promise<void> {
  const goalRows = JSON.stringify(
    goals.map((goal) => ({
      id: goalId(goal.person, goal.title),
      person: goal.person,
      title: goal.title,
      description: goal.description ?? "",
      status: goal.status,
      target_in_days: goal.targetInDays ?? null,
      days_ago: goal.createdDaysAgo,
      at: timeOfDay("12:40", goal.title, 30),
    })),
  );
  await client.query(
    `insert into nectar.goals (id, user_id, title, description, target_date, created_at, updated_at)
     select r.id, p.id, r.title, r.description, (now() at time zone 'UTC')::date + r.target_in_days,
       ${momentOf("r")}, ${momentOf("r")}
     from jsonb_to_recordset($1::jsonb)
       as r (id uuid, person text, title text, description text, target_in_days int, days_ago int, at time)
     join demo_people p using (person)`,
    [goalRows],
  );
  await client.query(
    `insert into nectar.goal_check_ins (id, goal_id, user_id, status, notes, check_in_date, created_at)
     select r.id, r.goal_id, p.id, r.status, r.notes, (now() at time zone 'UTC')::date - r.days_ago, ${momentOf("r")}
     from jsonb_to_recordset($1::jsonb)
       as r (id uuid, goal_id uuid, person text, status nectar.goal_check_in_status, notes text, days_ago int, at time)
     join demo_people p using (person)`,
    [
      JSON.stringify(
        goals.flatMap(({ person, title, checkIns }) =>
          checkIns.map(({ daysAgo, at, status, notes }) => ({
            id: stableId(`check-in ${person} ${title} ${daysAgo}`),
            goal_id: goalId(person, title),
            person,
            status,
            notes: notes ?? "",
            days_ago: daysAgo,
            at: timeOfDay(at, `${title} ${daysAgo}`),
          })),
        ),
      ),
    ],
  );
  await client.query(
    `update nectar.goals g set status = r.status
     from jsonb_to_recordset($1::jsonb) as r (id uuid, status nectar.goal_status)
     where g.id = r.id and r.status <> 'active'`,
    [goalRows],
  );
  // The trigger takes now for the last change, which was that after the last check-in.
  await client.query(
    `update nectar.goals g set updated_at = c.last
     from (select goal_id, max(created_at) as last from nectar.goal_check_ins group by goal_id) c
     where g.id = c.goal_id and g.status <> 'active'`,
  );
}

/** Writes satisfaction, action notes and sleep of the people in demo_people. */
export async function writeWellness(client: pg.Client): Promise<void> {
  await client.query(
    `insert into nectar.wellness_entries (id, user_id, type, rating, content, hours, quality, notes, created_at)
     select r.id, p.id, r.type, r.rating, r.content, r.hours, r.quality, r.notes, ${momentOf("r")}
     from jsonb_to_recordset($1::jsonb)
       as r (id uuid, person text, type nectar.wellness_type, rating int, content text, hours numeric, quality int,
             notes text, days_ago int, at time)
     join demo_people p using (person)`,
    [
      JSON.stringify(
        wellness.map(({ daysAgo, at, ...entry }) => ({
          ...entry,
          id: stableId(`wellness ${entry.person} ${entry.type} ${daysAgo}`),
          days_ago: daysAgo,
          at: timeOfDay(at, `${entry.person} ${entry.type} ${daysAgo}`),
        })),
      ),
    ],
  );
}

function goalId(person: string, title: string): string {
  return stableId(`goal ${person} ${title}`);
}
