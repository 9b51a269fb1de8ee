import { describe, expect, it } from "vitest";
import { utcDate } from "#core/time/calendar-date";
import { EVERYONE, type IdRange } from "#core/work/tasks";
import { runMessage, runTask } from "#functions/workers/run";
import { queueHandler } from "#lambda/queue-handler";
import { beforeEachTest } from "#tests/prepare";
import { useAnalyzing } from "./analyzing.ts";

const { api, analyze, analysisOf, note, reader, model } = await useAnalyzing();

/** 23 people with a note, in the order of their ids. */
const people = beforeEachTest(async () => {
  const readers = await Promise.all(Array.from({ length: 23 }, reader));
  await Promise.all(readers.map((person) => note(person, "A calm walk")));
  return { inOrder: readers.toSorted((one, other) => (one.id < other.id ? -1 : 1)) };
});

const taskFor = (range: IdRange) =>
  ({ name: "note-analysis", date: utcDate(api.services.clock.now()), range }) as const;
const walk = (range: IdRange) => runTask(api.services, taskFor(range));
const analyzed = () => api.query<{ user_id: string }>`select user_id from nectar.note_analyses order by user_id`;
const allIds = () => people.inOrder.map(({ id }) => ({ user_id: id }));

describe("the job", () => {
  it("queues all ranges of people but the first; together all people are analyzed once", async () => {
    const repliesBefore = model.replies();
    const results = await analyze({}, { rangeSize: 5 });
    expect(results).toMatchObject({ queued: 4, failed: 0, errors: [] });
    await api.idle();
    expect(await analyzed()).toEqual(allIds());
    expect(model.replies() - repliesBefore).toBe(23);
  });

  it("cuts ranges only over people whose turn of the day is not finished", async () => {
    const half = people.inOrder[11]?.id ?? "";
    await walk({ after: null, upTo: half });
    expect(await analyze({}, { rangeSize: 5 })).toMatchObject({ queued: 2 });
    await api.idle();
    expect(await analyzed()).toEqual(allIds());
    expect(await analyze({}, { rangeSize: 5 })).toEqual({ total: 0, successful: 0, failed: 0, errors: [] });
  });

  it("does all of the work itself if there is one range, or if no worker comes", async () => {
    expect(await analyze({}, { rangeSize: 24 })).toEqual({ total: 23, successful: 23, failed: 0, errors: [] });
    await api.query`truncate nectar.note_analyses, private.assistant_turns cascade`;
    const lost = { send: async () => undefined };
    expect(await analyze({ queue: lost }, { rangeSize: 10 })).toMatchObject({ total: 23, successful: 23, queued: 2 });
  });

  it("does all of the work itself if the queue is away, and its results say so", async () => {
    const queue = { send: () => Promise.reject(new Error("The queue is away.")) };
    const errors = ["No other workers could be woken; this run and the next ones do their work."];
    expect(await analyze({ queue }, { rangeSize: 10 })).toMatchObject({ successful: 23, queued: 0, errors });
  });
});

describe("the worker of a range", () => {
  it("analyzes the people after the first id and up to the last, and no others", async () => {
    const [after = "", upTo = ""] = [people.inOrder[3]?.id, people.inOrder[7]?.id];
    await walk({ after, upTo });
    expect(await analyzed()).toEqual(allIds().slice(4, 8));
    await walk({ after: upTo, upTo: null });
    expect(await analyzed()).toEqual(allIds().slice(4));
  });

  it("does nothing if its message comes again, also while the first one works", async () => {
    const repliesBefore = model.replies();
    await Promise.all([walk(EVERYONE), walk(EVERYONE), walk(EVERYONE)]);
    await walk(EVERYONE);
    expect(await analyzed()).toEqual(allIds());
    expect(model.replies() - repliesBefore).toBe(23);
  });

  it("does nothing on another date than that of the job that queued it", async () => {
    const task = taskFor(EVERYONE);
    const repliesBefore = model.replies();
    api.at(new Date(api.services.clock.now().getTime() + 24 * 3_600_000));
    await runTask(api.services, task);
    expect(model.replies()).toBe(repliesBefore);
    expect(await analyzed()).toEqual([]);
  });

  it("stops when the date of its job is over, also within the range", async () => {
    const today = utcDate(api.services.clock.now());
    const [before, after] = [`${today}T23:59:59Z`, new Date(Date.parse(today) + 24 * 3_600_000)];
    const replied = model.replies();
    const clock = { now: () => (model.replies() === replied ? new Date(before) : after) };
    await runTask({ ...api.services, clock }, taskFor(EVERYONE));
    expect(await analyzed()).toHaveLength(5);
  });

  it("reports its message as failed if its time is up, and ends quietly if the process stops", async () => {
    let hour = 0;
    const clock = { now: () => new Date(api.services.clock.now().getTime() + (hour++ > 0 ? 3_600_000 : 0)) };
    const handler = queueHandler((body) => runMessage({ ...api.services, clock }, body));
    const message = { messageId: "the range", body: JSON.stringify(taskFor(EVERYONE)) };
    expect(await handler({ Records: [message] })).toEqual({ batchItemFailures: [{ itemIdentifier: "the range" }] });
    expect(api.logged()).toContain("task failed");
    const logged = api.logged().length;
    await runTask({ ...api.services, stopping: AbortSignal.abort() }, taskFor(EVERYONE));
    expect(api.logged().slice(logged)).not.toContain("task failed");
    expect(await analyzed()).toEqual([]);
  });

  it("finishes its range if the model fails for one person, and leaves that person to a later run", async () => {
    model.mode("as asked");
    const [first] = people.inOrder;
    if (first === undefined) throw new Error("There are people.");
    await note(first, "stand-in: fail");
    await walk(EVERYONE);
    expect(await analysisOf(first)).toBeNull();
    expect(await analyzed()).toHaveLength(22);
  });
});
