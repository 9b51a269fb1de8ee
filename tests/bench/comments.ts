import { tokenFor } from "#tests/people";
import { cpuTimes } from "./costs.ts";
import { cpuMsOf } from "./cpu.ts";
import { fillEntries, personWithNumber } from "./data.ts";
import { environmentOf, filledDatabase } from "./databases.ts";
import { type Figure, median, type Run, sized, within } from "./figures.ts";
import { load } from "./load.ts";
import { startServer } from "./processes.ts";

const COMMENTERS = 50;
const ROUNDS = sized(6);
/** Each person comments on each of them once a round. 60 comments a minute are the limit. */
const ENTRIES = 8;
const AUTHOR = personWithNumber(1);

/** The processor time of a comment that 50 people are told of: the author, and all who commented before but its writer. */
export async function commentFigures(run: Run): Promise<Figure[]> {
  run.note(`entries on which ${COMMENTERS} people have commented`);
  const database = await filledDatabase(run, "comments", async (client) => {
    await fillEntries(client, { people: 2_000, entries: sized(100_000), teams: 1, diary: 0 });
    await client.query(
      `insert into nectar.journal_entries
         (id, user_id, title, metadata_visibility, content_visibility, inherit_visibility, team_id,
          effective_metadata_visibility, effective_content_visibility, metadata_audience_id, content_audience_id)
       select p.id, '${AUTHOR}', 'A walk', 'team', 'team', false, t.id, 'team', 'team', t.id, t.id
       from nectar.teams t cross join people p where p.n <= ${ENTRIES * (ROUNDS + 1)};
       insert into nectar.journal_entry_contents
         (entry_id, user_id, content, metadata_audience_id, content_audience_id, comment_count)
       select e.id, e.user_id, 'Along the lake.', e.metadata_audience_id, e.content_audience_id, ${COMMENTERS}
       from nectar.journal_entries e where e.title = 'A walk';
       insert into nectar.team_messages (entry_id, sender_id, content)
       select e.id, p.id, 'Well done' from nectar.journal_entries e
       join people p on e.title = 'A walk' and p.n between 2 and ${COMMENTERS + 1}`,
    );
  });
  await using api = await startServer("api", environmentOf(database));
  const authorizations = await Promise.all(
    Array.from({ length: COMMENTERS }, async (_, n) => `Bearer ${await tokenFor({ sub: personWithNumber(n + 2) })}`),
  );
  const entriesOf = (round: number) =>
    Array.from({ length: ENTRIES }, (_, n) => personWithNumber(round * ENTRIES + n + 1));
  const times: number[] = [];
  run.note("comments");
  for (let round = 0; round <= ROUNDS; round += 1) {
    const requests = authorizations.flatMap((authorization) =>
      entriesOf(round).map((entry) => ({
        method: "POST" as const,
        path: `/api/journal/${entry}/comments`,
        headers: { authorization, "content-type": "application/json" },
        body: JSON.stringify({ content: "That sounds like a good day." }),
      })),
    );
    const spent = await cpuTimes(
      database,
      () => cpuMsOf(api.pid),
      () => load(api.url, { connections: 1, until: { requests: requests.length }, requestsOf: () => requests }),
    );
    // V8 compiles what runs often in the first one.
    if (round > 0) times.push(Object.values(spent).reduce((sum, ms) => sum + ms, 0) / requests.length);
  }
  return [within(`CPU of a comment that ${COMMENTERS} people are told of`, median(times), 10, "ms")];
}
