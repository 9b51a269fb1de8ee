import { beforeAll, beforeEach } from "vitest";
import { useApi } from "../../../support/api.ts";
import { useFileStore } from "../../../support/file-store.ts";
import type { Person } from "../../../support/people.ts";
import { CRON_SECRET, GAME } from "../chain-scene.ts";
import { playDay } from "../game-days.ts";

export const DATE = "2026-11-18";
const SCHEDULER = { "x-cron-secret": CRON_SECRET };

/** Mosaics over the API of a test file, with a file store, and people who are new in each test. */
export async function mosaicScene() {
  const api = useApi({ environment: { WORKOUT_WINDOW_CRON_SECRET: CRON_SECRET, ...(await useFileStore()) } });
  let ada: Person;
  let ben: Person;
  let cleo: Person;
  let dora: Person;
  let admin: Person;

  beforeAll(async () => {
    admin = await api.person({ role: "admin" });
  });
  beforeEach(async () => {
    await api.query("truncate nectar.mosaics, nectar.battles, nectar.workout_checkins, nectar.chains cascade");
    await api.query("truncate private.stored_files_to_remove");
    [ada, ben, cleo, dora] = [await api.person(), await api.person(), await api.person(), await api.person()];
    api.at(`${DATE}T13:00:00Z`);
  });

  const read = (date = DATE, search = "", as = ada) => api.get(`${GAME}/mosaic/${date}${search}`, as);
  const generate = (date = DATE, headers: Record<string, string> = SCHEDULER, as?: Person) =>
    api.post(`${GAME}/mosaic/generate/${date}`, as, undefined, headers);
  const job = () => api.post(`${GAME}/cron/mosaics`, undefined, undefined, SCHEDULER);
  const files = () =>
    api.query("select path, remove_after <= now() as due from private.stored_files_to_remove order by path");
  const waitingFor = (locktype: "advisory" | "relation") =>
    api.query(
      `select from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and l.locktype = $1 and not l.granted`,
      [locktype],
    );
  const imageKey = async () =>
    (await api.query("select image_key from nectar.mosaics where date = $1", [DATE]))[0]?.image_key;
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
    await playDay(api, { person: ada, date: DATE, team: "red", status: "verified" });
    await playDay(api, { person: ben, date: DATE, team: "blue", status: "pending" });
    await playDay(api, { person: cleo, date: DATE, team: "red", status: "rejected" });
    await playDay(api, { person: dora, date: DATE, team: "blue" });
  }

  return {
    api,
    read,
    generate,
    job,
    files,
    waitingFor,
    imageKey,
    download,
    play,
    get ada() {
      return ada;
    },
    get ben() {
      return ben;
    },
    get cleo() {
      return cleo;
    },
    get dora() {
      return dora;
    },
    get admin() {
      return admin;
    },
  };
}
