/** Appends to a list that keeps only its latest items. */
export function keepLatest<Item>(items: Item[], item: Item, max: number): void {
  items.push(item);
  if (items.length > max) items.shift();
}

/** Sets an entry of a map that keeps only its latest entries. */
export function setLatest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
