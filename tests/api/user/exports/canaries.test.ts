import { beforeAll, describe, expect, it } from "vitest";
import { exportedColumns, TABLES } from "#core/cards/all";
import { useApi } from "#tests/api";
import { type Canaries, foundIn, plantCanaries, plantFiles } from "#tests/canaries";
import { type DownloadedExport, exportOf } from "#tests/exports";
import { useFileStore } from "#tests/file-store";
import { asSuperuser, tokenFor } from "#tests/people";
import { type Stage, setStage } from "../../../database/support/stage.ts";

const api = useApi({ environment: { ...(await useFileStore()), PUBLIC_URL: "http://127.0.0.1:9" } });

/** Text columns whose values are not free, so that they can have no text of the person's own. */
const NOT_FREE = new Set([
  "nectar.entry_backgrounds.quality",
  "nectar.reports.status",
  "nectar.reports.target_type",
  "nectar.tone_pack_images.file_path",
  "nectar.tone_pack_images.tone",
  "nectar.user_locations.country",
  "nectar.personal_tokens.hint",
  "nectar.push_subscriptions.app",
  "nectar.workout_checkin_photos.flags",
  "nectar.workout_windows.previous",
  "nectar.workout_windows.rest_days",
]);

let planted: Canaries;
let files: Canaries;
let untouched: readonly string[];
let ofMate: Canaries;
let ofStranger: Canaries;
let exported: DownloadedExport;

/** What the stage lacks: things that the owner got from others, and what a team mate shares with the owner. */
async function addThings({ ids }: Stage): Promise<void> {
  const { owner, teamMate, team, orgMate, organization } = ids;
  await api.query`insert into nectar.encouragement_drops
    (sender_id, recipient_id, content, drop_type, is_custom, media_type, media_url, thumbnail_url, date_sent, created_at,
      engagement_until)
    values (${owner}, ${teamMate}, 'Listen', 'media', true, 'youtube', 'https://youtu.be/x', 'https://youtu.be/y', '2026-11-21',
      '2026-11-21', '2026-11-22')`;
  await api.query`insert into nectar.invitations
    (org_id, invited_by, token_hash, email, email_status, role, team_ids, max_uses, expires_at)
    values (${organization}, ${owner}, sha256('a token'), 'x@example.test', 'sent', 'member', '{}', 1, now() + interval '1 day')`;
  await api.query`update nectar.moderation_appeals set status = 'upheld', answer = 'It was not harmless.', decided_at = now()
    where owner_id = ${owner}`;
  await api.query`insert into nectar.wellness_entries (user_id, type, hours) values (${owner}, 'sleep', 7.5)`;
  await api.query`update nectar.workout_windows set activity_type = 'other', custom_activity = 'Rowing',
    previous = '{"activity_type": "other", "custom_activity": "Golf at dawn", "window_start_time": "06:00",
      "window_end_time": "08:00", "timezone": "UTC"}' where user_id = ${owner}`;
  await api.query`update nectar.trashed_entries set background_id = id, background_quality = 'hd', background_created_at = now(),
    background_file = 'backgrounds/' || user_id || '/' || id || '.png' where user_id = ${owner}`;
  await api.query`update nectar.workout_checkins set reviewed_at = now() where user_id = ${owner}`;
  await api.query`insert into nectar.tone_pack_purchases (pack_id, user_id, price_drops, transaction_id)
    select ${ids.publicTonePack}, ${owner}, 0, t.id from nectar.drop_transactions t where t.user_id = ${owner} limit 1`;
  await api.query`insert into nectar.encouragement_drops
    (sender_id, recipient_id, content, is_custom, date_sent, created_at, engagement_until)
    values (${teamMate}, ${owner}, 'For you', true, '2026-11-21', '2026-11-21', '2026-11-22')`;
  await api.query`insert into nectar.reports (reporter_id, owner_id, target_type, target_id, reason, details)
    values (${owner}, ${orgMate}, 'user', ${orgMate}, 'spam', 'Too much')`;
  await api.query`
    with entry as (
      insert into nectar.journal_entries (user_id, title, metadata_visibility, content_visibility, team_id)
      values (${teamMate}, 'Shared', 'team', 'team', ${team}) returning id
    )
    insert into nectar.journal_entry_contents (entry_id, user_id, content) select id, ${teamMate}, 'Text' from entry`;
  await api.query`insert into nectar.team_messages (team_id, sender_id, content) values (${team}, ${teamMate}, 'Hello')`;
}

beforeAll(async () => {
  const stage = await asSuperuser(api.adminUrl, (client) => setStage(api.adminUrl, client));
  const other = await asSuperuser(api.adminUrl, (client) => setStage(api.adminUrl, client));
  await addThings(stage);
  const id = stage.ids.owner;
  ({ canaries: planted, untouched } = await plantCanaries(api.adminUrl, id));
  // Its constraint wants a whole window, so that the text was written with it.
  planted = new Map([...planted, ["nectar.workout_windows.previous", "Golf at dawn"]]);
  files = await plantFiles(api.services, api.adminUrl, id);
  ofMate = (await plantCanaries(api.adminUrl, stage.ids.teamMate)).canaries;
  await api.query`insert into nectar.team_messages (entry_id, goal_id, sender_id, content)
    values (${stage.ids.sharedEntry}, null, ${stage.ids.teamMate}, 'Hello'), (null, ${stage.ids.goal}, ${stage.ids.teamMate}, 'Hello')`;
  const { canaries } = await plantCanaries(api.adminUrl, other.ids.owner);
  ofStranger = new Map([...canaries, ...(await plantFiles(api.services, api.adminUrl, other.ids.owner))]);
  exported = await exportOf(api, { id, email: "", token: await tokenFor({ sub: id }) });
});

/** The places of the cards that are exported, such as `nectar.goals.title`. */
function exportedPlaces(): string[] {
  return Object.keys(TABLES).flatMap((table) => exportedColumns(table).map(({ column }) => `${table}.${column}`));
}

describe("an export", () => {
  it("has every text of the person that the cards say is exported", () => {
    const places = exportedPlaces().filter((place) => planted.has(place));
    expect(places.length).toBeGreaterThan(50);
    const found = foundIn(Object.values(exported.files), planted);
    expect(places.filter((place) => !found.includes(place))).toEqual([]);
  });

  it("has every file of the person", () => {
    expect(files.size).toBeGreaterThan(4);
    expect(foundIn(Object.values(exported.files), files)).toEqual([...files.keys()]);
  });

  it("has a text in every column that takes one", () => {
    expect(untouched.filter((place) => exportedPlaces().includes(place) && !NOT_FREE.has(place))).toEqual([]);
  });

  it("has nothing of another person but cards and the drops that they sent", () => {
    expect(foundIn(Object.values(exported.files), ofStranger)).toEqual([]);
    const found = foundIn(Object.values(exported.files), ofMate);
    expect(found.filter((place) => !/^nectar\.(profiles|encouragement_drops)\./.test(place))).toEqual([]);
  });

  it("has each field of the cards where the cards say", () => {
    const missing = Object.keys(TABLES).flatMap((table) =>
      exportedColumns(table)
        .filter(
          ({ place, field }) =>
            !rowsAt(exported, place).some((row) => field.split(".").reduce(fieldOf, row) !== undefined),
        )
        .map(({ place, column, field }) => `${table}.${column}: ${place}.${field}`),
    );
    expect(missing).toEqual([]);
  });
});

/** The rows of a place of the cards, such as `goals.check_ins`. */
function rowsAt({ data }: DownloadedExport, place: string): unknown[] {
  const [noun = "", ...inside] = place.split(".");
  return inside.reduce((rows, name) => rows.flatMap((row) => fieldOf(row, name) ?? []), [data(noun)].flat());
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
