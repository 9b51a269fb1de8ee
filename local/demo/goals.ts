import { goals } from "./data.ts";
import { sharingColumns } from "./journal.ts";
import { date, idOf, localMoment, type Past, written } from "./past.ts";
import { insertRows, stableId, timeOfDay } from "./rows.ts";

/** Writes goals with their check-ins; a goal that is no longer active was last changed after the last of them. */
export async function writeGoals(past: Past): Promise<void> {
  const { client } = past;
  await insertRows(client, "nectar.goals", goals, ({ person, title, weekdays, ...goal }) => ({
    id: goalId(person, title),
    user_id: idOf(past, person),
    title,
    target_date: goal.targetInDays === undefined ? null : date(past, -goal.targetInDays),
    weekdays,
    started_on: date(past, goal.createdDaysAgo),
    ...sharingColumns(goal.sharing),
    ...written(localMoment(past, person, goal.createdDaysAgo, timeOfDay("12:40", title, 30))),
  }));
  await insertRows(client, "nectar.goal_check_ins", goals, ({ person, title, checkIns }) =>
    checkIns.map(({ daysAgo, at, status }) => ({
      id: checkInId(person, title, daysAgo),
      goal_id: goalId(person, title),
      user_id: idOf(past, person),
      status,
      check_in_date: date(past, daysAgo),
      created_at: localMoment(past, person, daysAgo, timeOfDay(at, `${title} ${daysAgo}`)),
    })),
  );
  await insertRows(client, "nectar.goal_check_in_contents", goals, ({ person, title, checkIns }) =>
    checkIns.map(({ daysAgo, notes = "" }) => ({
      check_in_id: checkInId(person, title, daysAgo),
      goal_id: goalId(person, title),
      user_id: idOf(past, person),
      notes,
    })),
  );
  await client.query(
    `create temporary table demo_goals on commit drop as
     select * from jsonb_to_recordset($1::jsonb) r (goal_id uuid, description text, status nectar.goal_status)`,
    [
      JSON.stringify(
        goals.map(({ person, title, description = "", status }) => ({
          goal_id: goalId(person, title),
          description,
          status,
        })),
      ),
    ],
  );
  for (const statement of [
    `update nectar.goal_contents c set description = r.description from demo_goals r where c.goal_id = r.goal_id`,
    `insert into nectar.goal_pauses (goal_id, user_id, from_date)
     select k.goal_id, k.user_id, max(k.check_in_date) + 1
     from nectar.goal_check_ins k
     join demo_goals r on r.goal_id = k.goal_id and r.status <> 'active'
     group by k.goal_id, k.user_id`,
    // Only now: a goal that has ended gets no check-ins.
    "update nectar.goals g set status = r.status from demo_goals r where g.id = r.goal_id and r.status <> 'active'",
    // A second update: triggers take now for the time of the changes above.
    `update nectar.goals g set updated_at = case g.status when 'active' then g.created_at else c.last end
     from (
       select o.id, max(k.created_at) as last from nectar.goals o
       left join nectar.goal_check_ins k on k.goal_id = o.id group by o.id
     ) c
     where g.id = c.id`,
  ]) {
    await client.query(statement);
  }
}

function checkInId(person: string, title: string, daysAgo: number): string {
  return stableId(`check-in ${person} ${title} ${daysAgo}`);
}

/** The id of a goal by its owner and title. */
export function goalId(person: string, title: string): string {
  return stableId(`goal ${person} ${title}`);
}
