import { createHash, randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import { personWithNumber, teamWithNumber } from "./data.ts";

/** A write that an app makes all the time. */
export interface HotWrite {
  readonly name: string;
  /** The path of its route; `:id` is the team of the person. */
  readonly path: string;
  /** The body of the request of a person. */
  readonly body: (person: number) => FormData | object;
  /** The bar against an insert into one table. */
  readonly ofOneTable: number;
  readonly twin?: {
    /** The statements of one transaction that write the same rows as the service, without its checks. */
    readonly statements: (personId: string) => pg.QueryConfig[];
    /** The tables in which both sides must have as many rows afterwards. */
    readonly tables: readonly string[];
    readonly atLeast: number;
  };
}

const TITLE = "A walk";
const CONTENT = "Along the lake and back. ".repeat(12);
const WORDS = "Well done, and on it goes";
/** So many teams; each person who writes is in one of them. */
export const TEAMS = 500;

export const HOT_WRITES: readonly HotWrite[] = [
  {
    name: "creating an entry",
    path: "/api/journal",
    body: newEntry,
    ofOneTable: 0.35,
  },
  {
    name: "sending a drop",
    path: "/api/encouragement-drops/send",
    body: (person) => ({ recipient_id: personWithNumber(person + 1), content: WORDS }),
    ofOneTable: 0.35,
  },
  {
    name: "checking in without photo work",
    path: "/api/workout-window/checkin",
    body: checkInForm,
    ofOneTable: 0.12,
    twin: {
      statements(personId) {
        const [id, file] = [randomUUID(), randomUUID()];
        const path = `checkins/${personId}/${file}.jpg`;
        const chain = "nectar.chains c where c.user_id = $2 and c.day_ends_at > now()";
        const data = "jsonb_build_object('checkin_id', $1::uuid, 'date', c.date, 'full_name', 'Bench'";
        return [
          statement(
            `insert into private.quota_uses as u (user_id, name, period_start, used)
           values ($1, 'photo_examination', date_trunc('day', now(), 'UTC'), 1)
           on conflict (user_id, name) do update set used = u.used + 1`,
            [personId],
          ),
          statement(
            `insert into private.stored_files_to_remove (store, path, remove_after)
           values ('private', $1, now() + interval '1 hour')`,
            [path],
          ),
          statement(
            `insert into nectar.workout_checkins
             (id, user_id, chain_id, date, activity_type, photo_timestamp, status, chain_status, team_color,
              battle_week_start, verified_at)
           select $1, c.user_id, c.id, c.date, 'walk', now(), 'verified', 'continued', c.team_color,
             private.week_start(c.date), now()
           from ${chain}`,
            [id, personId],
          ),
          statement(
            `insert into nectar.notifications (user_id, type, data)
           select c.after_user_id, 'baton_pass'::nectar.notification_type, ${data}) from ${chain}
           union all
           select m.id, 'battle_update', ${data}, 'chips', 2)
           from nectar.squads q
           cross join lateral unnest(array[q.user_1_id, q.user_2_id, q.user_3_id]) m (id)
           join ${chain.replace(" where", " on c.squad_id = q.id where")} and m.id <> c.user_id`,
            [id, personId],
          ),
          statement(
            `insert into nectar.workout_checkin_photos (checkin_id, user_id, file_id, perceptual_hash)
           values ($1, $2, $3, $4::text::bit(64))`,
            [id, personId, file, randomHash()],
          ),
          statement("delete from private.stored_files_to_remove where store = 'private' and path = $1", [path]),
        ];
      },
      // Not the notifications: a few players whose next player was faster notify one person less.
      tables: [
        "nectar.workout_checkins",
        "nectar.workout_checkin_photos",
        "private.quota_uses",
        "private.stored_files_to_remove",
      ],
      atLeast: 0.25,
    },
  },
  {
    name: "writing to a team",
    path: "/api/teams/:id/messages",
    body: () => ({ content: WORDS }),
    ofOneTable: 0.25,
    twin: {
      statements(personId) {
        const id = randomUUID();
        const teamId = teamOf(Number(personId.slice(-12)));
        return [
          statement(
            `insert into private.quota_uses as u (user_id, name, period_start, used)
           values ($1, 'team_message', date_trunc('minute', now(), 'UTC'), 1)
           on conflict (user_id, name) do update set used = u.used + 1`,
            [personId],
          ),
          statement("insert into nectar.team_messages (id, team_id, sender_id, content) values ($1, $2, $3, $4)", [
            id,
            teamId,
            personId,
            WORDS,
          ]),
          statement(
            `insert into nectar.notifications as n (user_id, type, data, caused_by, room_id)
           select m.user_id, 'team_message', jsonb_build_object('team_id', $2::uuid, 'count', 1), $1, $2
           from nectar.team_members m where m.team_id = $2 and m.user_id <> $1 order by m.user_id
           on conflict (user_id, room_id, type) where read_at is null and room_id is not null do update
             set data = n.data || jsonb_build_object('count', (n.data ->> 'count')::integer + 1), caused_by = null`,
            [personId, teamId],
          ),
        ];
      },
      tables: ["nectar.team_messages", "private.quota_uses"],
      atLeast: 0.3,
    },
  },
];

/** The body of a new entry, for the service and for the server with one table. */
export interface NewEntry {
  readonly title: string;
  readonly content: string;
  readonly mood?: string;
  readonly tags?: readonly string[];
}

export function newEntry(): NewEntry {
  return { title: TITLE, content: CONTENT, tags: ["day"] };
}

/** The team in which the person with a number is, as `fillEntries` distributes them. */
export function teamOf(person: number): string {
  return teamWithNumber(1 + (person % TEAMS));
}

/** A perceptual hash that is like no other. */
export function randomHash(): string {
  return Array.from(randomBytes(8), (byte) => byte.toString(2).padStart(8, "0")).join("");
}

function statement(text: string, values: unknown[]): pg.QueryConfig {
  return { name: createHash("md5").update(text).digest("hex"), text, values };
}

/** Only the first bytes of a photo, because the others are not examined. */
function checkInForm(): FormData {
  const form = new FormData();
  form.set("activityType", "walk");
  form.set("photo", new Blob([new Uint8Array([0xff, 0xd8, 0xff, ...new Array(61).fill(0)])]), "photo.jpg");
  return form;
}
