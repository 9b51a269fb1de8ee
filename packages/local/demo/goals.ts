import type pg from "pg";
import { goals, wellness } from "./data.ts";
import { stableId, timeOfDay, writeRows } from "./rows.ts";

/** Writes goals with their check-ins; a goal that is no longer active was last changed after the last of them. */
export async function writeGoals(client: pg.Client): Promise<void> {
  const goalColumns = "id uuid, title text, description text, target_in_days int, status nectar.goal_status";
  const goalRows = goals.map(({ person, title, description, status, targetInDays, createdDaysAgo }) => ({
    id: goalId(person, title),
    person,
    title,
    description,
    status,
    target_in_days: targetInDays,
    days_ago: createdDaysAgo,
    at: timeOfDay("12:40", title, 30),
  }));
  await writeRows(
    client,
    goalColumns,
    goalRows,
    `insert into nectar.goals (id, user_id, title, description, target_date, created_at, updated_at)
     select r.id, r.person_id, r.title, r.description, (now() at time zone 'UTC')::date + r.target_in_days,
       r.moment, r.moment
     from r`,
  );
  await writeRows(
    client,
    "id uuid, goal_id uuid, status nectar.goal_check_in_status, notes text",
    goals.flatMap(({ person, title, checkIns }) =>
      checkIns.map(({ daysAgo, at, status, notes }) => ({
        id: stableId(`check-in ${person} ${title} ${daysAgo}`),
        goal_id: goalId(person, title),
        person,
        status,
        notes,
        days_ago: daysAgo,
        at: timeOfDay(at, `${title} ${daysAgo}`),
      })),
    ),
    `insert into nectar.goal_check_ins (id, goal_id, user_id, status, notes, check_in_date, created_at)
     select r.id, r.goal_id, r.person_id, r.status, r.notes, (now() at time zone 'UTC')::date - r.days_ago, r.moment
     from r`,
  );
  await writeRows(
    client,
    goalColumns,
    goalRows,
    "update nectar.goals g set status = r.status from r where g.id = r.id and r.status <> 'active'",
  );
  // A second update: a trigger takes now for the time of the first one.
  await client.query(
    `update nectar.goals g set updated_at = c.last
     from (select goal_id, max(created_at) as last from nectar.goal_check_ins group by goal_id) c
     where g.id = c.goal_id and g.status <> 'active'`,
  );
}

/** Writes satisfaction, action notes and sleep. */
export async function writeWellness(client: pg.Client): Promise<void> {
  await writeRows(
    client,
    "id uuid, type nectar.wellness_type, rating int, content text, hours numeric, quality int, notes text",
    wellness.map(({ daysAgo, at, ...entry }) => ({
      ...entry,
      id: stableId(`wellness ${entry.person} ${entry.type} ${daysAgo}`),
      days_ago: daysAgo,
      at: timeOfDay(at, `${entry.person} ${entry.type} ${daysAgo}`),
    })),
    `insert into nectar.wellness_entries (id, user_id, type, rating, content, hours, quality, notes, created_at)
     select r.id, r.person_id, r.type, r.rating, r.content, r.hours, r.quality, r.notes, r.moment from r`,
  );
}

function goalId(person: string, title: string): string {
  return stableId(`goal ${person} ${title}`);
}
