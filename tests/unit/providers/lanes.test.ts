import { setImmediate as nextTick } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { EVERYONE, type Task } from "#core/work/tasks";
import { openLanes } from "#providers/lanes";
import { byLane } from "#providers/queue";

const mosaicOf = (day: number): Task => ({ name: "mosaic", date: `2026-11-${String(day).padStart(2, "0")}` });
const rangeOf = (day: number): Task => ({
  name: "note-analysis",
  date: `2026-11-0${day}`,
  range: EVERYONE,
});
const PUSH: Task = { name: "push" };

/** Lanes whose tasks end only when they are released. */
function lanesOf(count: number) {
  const started: Task[] = [];
  const releases: PromiseWithResolvers<void>[] = [];
  const lanes = openLanes(count, (task) => {
    started.push(task);
    const release = Promise.withResolvers<void>();
    releases.push(release);
    return release.promise;
  });
  return { lanes, started, releases };
}

describe("lanes", () => {
  it("run as many tasks at the same time as there are lanes, and then the next ones in their order", async () => {
    const { lanes, started, releases } = lanesOf(2);
    const tasks = [1, 2, 3, 4, 5].map(mosaicOf);
    await lanes.send(tasks);
    expect(started).toEqual(tasks.slice(0, 2));
    releases[1]?.resolve();
    await nextTick();
    expect(started).toEqual(tasks.slice(0, 3));
    for (let done = 0; done < tasks.length; done += 1) {
      releases[done]?.resolve();
      await nextTick();
    }
    expect(started).toEqual(tasks);
    await lanes.idle();
  });

  it("run a task that waits already once, and one that runs already again", async () => {
    const { lanes, started, releases } = lanesOf(1);
    await lanes.send([PUSH]);
    await lanes.send([PUSH, PUSH]);
    await lanes.send([PUSH]);
    expect(started).toEqual([PUSH]);
    releases[0]?.resolve();
    await nextTick();
    expect(started).toEqual([PUSH, PUSH]);
    releases[1]?.resolve();
    await lanes.idle();
    expect(started).toHaveLength(2);
  });

  it("drop a task that fails and continue with the next", async () => {
    const started: Task[] = [];
    const lanes = openLanes(1, async (task) => {
      started.push(task);
      if (started.length === 1) throw new Error("The database is away.");
    });
    await lanes.send([mosaicOf(1), mosaicOf(2)]);
    await lanes.idle();
    expect(started).toEqual([mosaicOf(1), mosaicOf(2)]);
  });

  it("wait for running tasks when they close, and drop waiting and later ones", async () => {
    const { lanes, started, releases } = lanesOf(1);
    await lanes.send([mosaicOf(1), mosaicOf(2)]);
    let isClosed = false;
    const closing = lanes.close().then(() => {
      isClosed = true;
    });
    await lanes.send([PUSH]);
    await nextTick();
    expect(isClosed).toBe(false);
    releases[0]?.resolve();
    await closing;
    expect(started).toEqual([mosaicOf(1)]);
  });

  it("start a push at once while ranges of people and imports fill the lanes of their own", async () => {
    const [ranges, imports, tasks] = [lanesOf(2), lanesOf(1), lanesOf(1)];
    const queue = byLane({ tasks: tasks.lanes, ranges: ranges.lanes, imports: imports.lanes });
    const importOf = (id: string): Task => ({ name: "import", id });
    await queue.send([...[1, 2, 3].map(rangeOf), importOf("a"), importOf("b"), PUSH]);
    expect(ranges.started).toEqual([1, 2].map(rangeOf));
    expect(imports.started).toEqual([importOf("a")]);
    expect(tasks.started).toEqual([PUSH]);
  });

  it("are idle from the start, and again after each task", async () => {
    const lanes = openLanes(3, () => Promise.resolve());
    await lanes.idle();
    await lanes.send([PUSH]);
    await lanes.idle();
    await lanes.send([PUSH]);
    await lanes.idle();
  });
});
