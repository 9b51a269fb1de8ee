import assert from "node:assert/strict";
import type pg from "pg";
import * as z from "zod";
import { utcDate } from "#core/time/calendar-date";
import { tokenFor } from "#tests/people";
import { fillPeople, PLAYED, VIEWERS } from "./data.ts";
import { environmentOf, filledDatabase, largeDatabase } from "./databases.ts";
import { alternate, compare, type Figure, median, type Run, within } from "./figures.ts";
import { fillGame } from "./game-data.ts";
import { HOT_READS, LIST } from "./hot-reads.ts";
import { latencyOf, rateOf } from "./load.ts";
import { startServer } from "./processes.ts";

/** Further requests of a person would wait for these. */
const AT_ONCE = 3;
/** After so long V8 has compiled what a request runs. A list is three times as fast then as in the first second. */
const WARM_UP_SECONDS = 5;

/** Compares the hot reads with bare SQL behind node:http that sends its rows, without row-level security. */
export async function readFigures(run: Run): Promise<Figure[]> {
  const database = await largeDatabase(run);
  const environment = environmentOf(database);
  await using api = await startServer("api", environment);
  await using prepared = await startServer("api", { ...environment, DATABASE_PREPARED_STATEMENTS: "on" });
  await using bare = await startServer("bare", { ...environment, DATABASE_URL: database.adminUrl });
  const figures: Figure[] = [];
  for (const { read, reader, sub, atLeast } of [
    { read: LIST, reader: "3 teams", sub: VIEWERS.calm, atLeast: 0.55 },
    { read: LIST, reader: "500 teams", sub: VIEWERS.busy, atLeast: 0.7 },
    ...HOT_READS.slice(1).map((read) => ({ read, reader: "3 teams", sub: VIEWERS.calm, atLeast: 0.5 })),
  ]) {
    const token = await tokenFor({ sub });
    await requireRows(api.url + read.path, bare.url + read.path, token);
    for (const server of [api, prepared, bare]) await warmUp(server.url + read.path, token);
    for (const [how, server] of [
      ["", api],
      [", DATABASE_PREPARED_STATEMENTS=on", prepared],
    ] as const) {
      const name = `${read.name}, reader in ${reader}${how} / bare prepared SQL behind node:http`;
      run.note(name);
      const ours = rateOf(server.url + read.path, { token, connections: AT_ONCE });
      const theirs = rateOf(bare.url + read.path, { token, connections: AT_ONCE });
      figures.push(await compare({ name, bar: { atLeast }, rounds: 5, unit: "requests/s", ours, theirs }));
    }
  }
  const token = await tokenFor({ sub: VIEWERS.calm });
  const p50 = async (name: string, url: string, bar: number) => {
    run.note(name);
    await warmUp(url, token);
    const times = (await alternate(5, [latencyOf(url, token)])).flat();
    return within(`${name}, p50`, median(times), bar, "ms");
  };
  const game = `${api.url}/api/workout-window`;
  figures.push(await p50("team stats of a date on which 20,000 play", `${game}/team-stats/${PLAYED.date}`, 20));
  const years = await filledDatabase(run, "years", fillYears);
  await using veteran = await startServer("api", environmentOf(years));
  for (const path of ["streak", "calendar"]) {
    figures.push(await p50(`${path} after 1,100 days`, `${veteran.url}/api/workout-window/${path}`, 5));
  }
  return figures;
}

function warmUp(url: string, token: string): Promise<number> {
  return rateOf(url, { token, connections: AT_ONCE, seconds: WARM_UP_SECONDS })();
}

/** A few players whose last day is today. */
async function fillYears(client: pg.ClientBase): Promise<void> {
  await fillPeople(client, 9);
  await fillGame(client, { date: utcDate(new Date()), start: "06:00", daysBefore: 1_099 });
}

/** Checks that the bare SQL finds at least as many rows as the service lists. */
async function requireRows(url: string, bareUrl: string, token: string): Promise<void> {
  const [body, rows] = await Promise.all(
    [url, bareUrl].map(async (one) => {
      const response = await fetch(one, { headers: { authorization: `Bearer ${token}` } });
      assert.equal(response.status, 200, one);
      return response.json();
    }),
  );
  const list = Object.values(z.looseObject({}).parse(body)).find(Array.isArray) ?? [body];
  const found = z.array(z.unknown()).parse(rows).length;
  assert.ok(found >= list.length && list.length > 0, `The bare SQL for ${url} gives ${found} rows.`);
}
