/**
 * Does work for each item, a few at a time: a lane takes the next item as soon as it is free.
 * @param lanes how many may be worked on at the same time
 * @returns the results in the order of the items
 */
export async function inLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  // One iterator for all lanes, so that each takes what is next.
  const waiting = items.entries();
  const lane = async () => {
    for (const [index, item] of waiting) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
