import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { utcDate } from "#core/time/calendar-date";
import type { Clock } from "#http/services/clock";
import { startModel } from "#local/stand-ins/model";
import { listenLocally } from "#local/support/listen";
import { sqsQueue } from "#providers/queue";
import { clockOfToday } from "./assistant.ts";
import { asSuperuser, query } from "./people.ts";
import { startQueue } from "./queue.ts";

/** How people's notes are analyzed. */
export interface AnalysisRun {
  readonly adminUrl: string;
  readonly apiUrl: string;
  readonly people: number;
  readonly workers: number;
  /** Workers that are killed (SIGKILL) and replaced during the first round. */
  readonly kills: number;
  /** Milliseconds that a call of the model takes. */
  readonly callMs: number;
}

export interface AnalysisResult {
  /** Milliseconds of the first round, until all of its tasks were done. */
  readonly firstRoundMs: number;
  readonly analyzed: number;
  /** Analyses, and records of their calls, beyond one per person. */
  readonly doubled: number;
  /** Calls that the model refused. */
  readonly failedCalls: number;
  readonly calls: number;
}

const RANGE_SIZE = 25;
/** Longer than a worker needs for a range, so that only what a killed one had comes again. */
const VISIBILITY_MS = 12_000;
/** Runs of the job: turns that failed, or whose worker was killed, are tried again hours later. */
const ROUNDS = 4;
const HOURS_BETWEEN_ROUNDS = 3;

/**
 * Signs up people with a note each, and lets workers in processes of their own analyze the notes, with tasks from a queue.
 * The model fails at the first call for every tenth person. The environment must have credentials for the queue.
 */
export async function analyzeWithWorkers(run: AnalysisRun): Promise<AnalysisResult> {
  const { adminUrl, people } = run;
  await signUpReaders(adminUrl, people);
  const queue = await startQueue({ visibilityMs: VISIBILITY_MS, maxReceives: 50 });
  const model = await startFailingModel(run.callMs);
  const count = async (sql: string) => {
    const [row] = await query<{ n: number }>(adminUrl, `select (${sql})::int as n`);
    return row?.n ?? Number.NaN;
  };
  const analyses = () => count("select count(*) from nectar.note_analyses");
  let firstRoundMs = 0;
  try {
    for (let round = 0; round < ROUNDS && (await analyses()) < people; round += 1) {
      const startedAt = performance.now();
      const clock = clockOfToday(1);
      clock.advance(round * HOURS_BETWEEN_ROUNDS * 60);
      await queueAllRanges(adminUrl, queue.queueUrl, new Date(clock.now()));
      const environment = {
        DATABASE_URL: run.apiUrl,
        AI_PROVIDER_API_KEY: "key",
        AI_PROVIDER_BASE_URL: model.url,
      };
      const workers = startWorkers(run.workers, { queueUrl: queue.queueUrl, environment, clock });
      try {
        for (let kill = 1; round === 0 && kill <= run.kills; kill += 1) {
          // Fewer are analyzed in this round if the workers before died with many claims.
          while ((await analyses()) < (people * kill) / (run.kills + 2) && queue.size() > 0) await pause(50);
          workers.killOne();
        }
        while (queue.size() > 0) await pause(50);
      } finally {
        await workers.stop();
      }
      if (round === 0) firstRoundMs = performance.now() - startedAt;
    }
    const records = await count(
      "select count(*) from nectar.token_usage where usage_type = 'note_analysis' and has_reply",
    );
    const analyzed = await count("select count(distinct user_id) from nectar.note_analyses");
    return { firstRoundMs, analyzed, doubled: records - analyzed, failedCalls: model.failed(), calls: model.calls() };
  } finally {
    await Promise.all([queue.stop(), model.stop()]);
  }
}

/** Signs up people who let the assistant read their notes, each with a note. */
async function signUpReaders(adminUrl: string, people: number): Promise<void> {
  await asSuperuser(adminUrl, async (client) => {
    await client.query(
      "insert into auth.users (id, email) select gen_random_uuid(), n || '@workers.test' from generate_series(1, $1) n",
      [people],
    );
    await client.query("update nectar.accounts set read_notes_enabled = true where email is not null");
    await client.query(
      `with written as (
         insert into nectar.journal_entries (user_id, title, mood, metadata_audience_id, content_audience_id)
         select user_id, 'A day', null, user_id, user_id from nectar.accounts where email is not null
         returning id, user_id
       )
       insert into nectar.journal_entry_contents (entry_id, content)
       select w.id, 'Note of ' || a.email from written w join nectar.accounts a using (user_id)`,
    );
    await client.query(
      "analyze nectar.accounts, nectar.profiles, nectar.journal_entries, nectar.journal_entry_contents",
    );
  });
}

async function queueAllRanges(adminUrl: string, queueUrl: string, moment: Date): Promise<void> {
  const [row] = await query<{ ends: string[] }>(
    adminUrl,
    "select private.assistant_range_ends('note_analysis', $1, $2) as ends",
    [moment, RANGE_SIZE],
  );
  const ends = row?.ends ?? [];
  const bounds = [null, ...ends, null];
  const ranges = bounds.slice(1).map((upTo, index) => ({ after: bounds[index] ?? null, upTo }));
  await sqsQueue(queueUrl).send(ranges.map((range) => ({ name: "note-analysis", date: utcDate(moment), range })));
}

/** A model that takes its time, and fails at the first call for every tenth person. */
async function startFailingModel(callMs: number) {
  const model = await startModel();
  const seen = new Set<number>();
  let [calls, failed] = [0, 0];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    calls += 1;
    await pause(callMs);
    const person = Number(/Note of (\d+)@/.exec(body)?.[1]);
    if (person % 10 === 0 && !seen.has(person)) {
      seen.add(person);
      failed += 1;
      response.writeHead(500, { "content-type": "application/json" }).end('{"error":{"message":"unlucky"}}');
      return;
    }
    const headers = { "content-type": "application/json", authorization: "Bearer key" };
    const path = (request.url ?? "").replace(/^\/v1/, "");
    const reply = await fetch(`${model.url}${path}`, { method: "POST", headers, body });
    response.writeHead(reply.status, { "content-type": "application/json" }).end(await reply.text());
  });
  const { port, stop } = await listenLocally(server, 0, "The failing model");
  return {
    url: `http://127.0.0.1:${port}/v1`,
    calls: () => calls,
    failed: () => failed,
    stop: () => Promise.all([stop(), model.stop()]),
  };
}

/** Starts workers of a queue in processes of their own, which go by a clock. */
export function startWorkers(
  count: number,
  {
    queueUrl,
    environment,
    clock,
  }: { readonly queueUrl: string; readonly environment: Readonly<Record<string, string>>; readonly clock: Clock },
) {
  const env = { PATH: process.env.PATH, SUPABASE_URL: "http://127.0.0.1:9", LOG_LEVEL: "silent", ...environment };
  const script = fileURLToPath(new URL("./worker-process.ts", import.meta.url));
  const start = () =>
    spawn(process.execPath, [script, queueUrl, clock.now().toISOString()], {
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
  const running: ChildProcess[] = Array.from({ length: count }, start);
  const end = async (child: ChildProcess) => {
    const exited = new Promise((resolve) => child.once("exit", resolve));
    if (child.kill("SIGKILL")) await exited;
  };
  return {
    killOne() {
      running.shift()?.kill("SIGKILL");
      running.push(start());
    },
    stop: () => Promise.all(running.map(end)),
  };
}
