import { cloneDatabase } from "#local/database/test-cluster";
import { startPush } from "#local/stand-ins/push";
import { LOCAL_PUSH_KEYS, localPushVariables } from "#local/stand-ins/vendors";
import { closeSuperuser } from "#tests/people";
import { countMessages, notifyCrowd } from "#tests/push-crowd";
import { cpuTimes } from "./costs.ts";
import { environmentOf } from "./databases.ts";
import { type Figure, none, type Run, rounded, sized } from "./figures.ts";
import { outputOf, pathOf } from "./processes.ts";

/** Each has a browser and two phones. */
const PEOPLE = sized(1_000);
const NOTIFICATIONS = 4;
const DELIVERIES = PEOPLE * 3 * NOTIFICATIONS;
/** Deliveries that one core has to send in a second. */
const GOAL = 500;

/** What a worker can send over three services: with encryption, signatures and HTTP, to a push service in another process. */
export async function pushFigures({ cluster, note }: Run): Promise<Figure[]> {
  const database = await cloneDatabase(cluster, "bench_pushes");
  const service = await startPush({ publicKey: LOCAL_PUSH_KEYS.publicKey });
  try {
    await notifyCrowd(database.adminUrl, service, PEOPLE, NOTIFICATIONS);
    note(`${DELIVERIES} deliveries`);
    const messages = countMessages(service);
    const counting = setInterval(() => messages.total(), 100);
    let nodeMs = 0;
    const environment = { ...environmentOf(database), ...localPushVariables(service.url) };
    const { cpu } = await cpuTimes(
      database,
      () => nodeMs,
      async () => {
        nodeMs = Number(await outputOf([pathOf("./push-worker.ts")], environment));
      },
    );
    clearInterval(counting);
    const received = messages.total();
    const deliveries = await messages.deliveries(database.adminUrl);
    await closeSuperuser(database.adminUrl);
    const postgresMs = cpu["PostgreSQL, ms"] ?? Number.NaN;
    const perSecond = (DELIVERIES / (nodeMs + postgresMs)) * 1_000;
    return [
      {
        name: `pushes over three services, in a second of one core / ${GOAL}`,
        ratio: perSecond / GOAL,
        bar: { atLeast: 1 },
        measured: `${rounded(perSecond)} of ${rounded(nodeMs / DELIVERIES)} ms of Node and ${rounded(postgresMs / DELIVERIES)} ms of PostgreSQL`,
      },
      none(
        `pushes, lost or doubled among ${rounded(DELIVERIES)}`,
        deliveries.filter((one) => one.received !== 1).length + Math.abs(received - DELIVERIES),
        `${rounded(received)} received`,
      ),
    ];
  } finally {
    await service.stop();
  }
}
