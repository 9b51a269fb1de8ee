import { beforeEach } from "vitest";
import { useApi } from "#tests/api";
import { useFileStore } from "#tests/file-store";
import type { Person } from "#tests/people";
import { castOf } from "../cast.ts";
import { CRON_SECRET, GAME, runGameJob } from "../chain-scene.ts";
import { playDay } from "../game-days.ts";

export const DATE = "2026-11-18";
const SCHEDULER = { "x-cron-secret": CRON_SECRET };

/** Mosaics over the API of a test file, with a file store, and people who are new in each test. */
export async function mosaicScene() {
  const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET, ...(await useFileStore()) } });
  const people = castOf(api);
  beforeEach(async () => {
    await api.query`truncate nectar.mosaics, nectar.battles, nectar.workout_checkins, nectar.chains, private.open_days cascade`;
    await api.query`truncate private.stored_files_to_remove`;
    api.at(`${DATE}T13:00:00Z`);
  });

  const read = (date = DATE, search = "", as = people.ada) => api.get(`${GAME}/mosaic/${date}${search}`, as);
  const generate = (date = DATE, headers: Record<string, string> = SCHEDULER, as?: Person) =>
    api.post(`${GAME}/mosaic/generate/${date}`, as, undefined, headers);
  const job = () => runGameJob(api, "mosaics");
  const files = () =>
    api.query`select path, remove_after <= now() as due from private.stored_files_to_remove order by path`;
  const waitingFor = (locktype: "advisory" | "relation") =>
    api.query`select from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and l.locktype = ${locktype} and not l.granted`;
  const imageKey = async () => (await api.one`select image_key from nectar.mosaics where date = ${DATE}`).image_key;
  const download = async (url: string) => {
    const response = await fetch(url);
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  };

  /** One player each with a verified, a pending, a rejected and no check-in. */
  async function play() {
    await playDay(api, { person: people.ada, date: DATE, team: "red", status: "verified" });
    await playDay(api, { person: people.ben, date: DATE, team: "blue", status: "pending" });
    await playDay(api, { person: people.cleo, date: DATE, team: "red", status: "rejected" });
    await playDay(api, { person: people.dora, date: DATE, team: "blue" });
  }

  return { api, people, read, generate, job, files, waitingFor, imageKey, download, play };
}
