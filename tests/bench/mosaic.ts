import * as z from "zod";
import { drawMosaic, type MosaicPiece, mosaicLayout } from "#core/game/mosaic";
import type { TestDatabase } from "#local/database/test-cluster";
import { encodePng } from "#providers/png";
import { query, tokenFor } from "#tests/people";
import { fillPeople, PLAYED } from "./data.ts";
import { environmentOf, filledDatabase } from "./databases.ts";
import { compare, type Figure, type Run, sized, timed, within } from "./figures.ts";
import { fillGame } from "./game-data.ts";
import { outputOf, pathOf, temporaryFileStore } from "./processes.ts";

const MANY = sized(100_000);
const FEW = 100;
/** Temporary credentials have a long token, which is part of every signed URL. */
const SESSION_TOKEN = "t".repeat(1_400);

const Measured = z.object({
  peakMb: z.number(),
  responses: z.array(z.object({ what: z.string(), pages: z.number(), largestMb: z.number(), slowestMs: z.number() })),
});

/** Drawing a mosaic of many people, and the pages about its date. */
export async function mosaicFigures(run: Run): Promise<Figure[]> {
  run.note("the picture");
  const picture = await compare({
    name: "mosaic, laid out, drawn and encoded: 100,000 / 100 people",
    bar: { atMost: 2 },
    rounds: 15,
    ours: () => timed(() => draw(MANY)),
    theirs: () => timed(() => draw(FEW)),
  });
  run.note(`the whole task with ${MANY} people`);
  const database = await filledDatabase(run, "mosaic", async (client) => {
    await fillPeople(client, MANY);
    await fillGame(client, PLAYED);
  });
  await using store = await temporaryFileStore();
  const said = await outputOf([pathOf("./mosaic-process.ts"), PLAYED.date, await tokenOfAdmin(database)], {
    ...environmentOf(database),
    S3_BUCKET: store.environment.S3_BUCKET,
    S3_ENDPOINT: store.environment.S3_ENDPOINT,
    AWS_ACCESS_KEY_ID: store.environment.S3_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY: store.environment.S3_SECRET_ACCESS_KEY,
    AWS_SESSION_TOKEN: SESSION_TOKEN,
  });
  const { peakMb, responses } = Measured.parse(JSON.parse(said));
  return [
    picture,
    within("mosaic of 100,000 people, peak memory of the process", peakMb, 300, "MB"),
    ...responses.map(({ what, pages, largestMb, slowestMs }) =>
      within(
        `${what} of 100,000 people, largest response as a function sends it`,
        largestMb,
        6,
        "MB",
        `, pages: ${pages}, the slowest ${slowestMs.toFixed(0)} ms`,
      ),
    ),
  ];
}

async function draw(people: number): Promise<void> {
  const states = ["completed", "failed", "pending"] as const;
  // Neighboring pieces differ, as in real mosaics; otherwise the picture would be too easy to encode.
  const pieces = Array.from(
    { length: people },
    (_, index): MosaicPiece => ({
      status: states[((index * 2_654_435_761) >>> 7) % 3] ?? "pending",
      teamColor: ((index * 2_654_435_761) >>> 11) % 2 === 0 ? "red" : "blue",
    }),
  );
  const layout = mosaicLayout(people);
  await encodePng(drawMosaic(layout, pieces), { width: layout.side, height: layout.side });
}

/** An admin may see all photos. */
async function tokenOfAdmin({ adminUrl }: TestDatabase): Promise<string> {
  const [admin] = await query(
    adminUrl,
    "insert into nectar.user_roles (user_id, role) select user_id, 'admin' from nectar.chains limit 1 returning user_id as sub",
  );
  return tokenFor(admin ?? {});
}
