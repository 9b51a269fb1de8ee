/** What is known of a player, without any rule of the product. */
export interface Facts {
  readonly today: string;
  readonly now: number;
  readonly matched: ReadonlyMap<
    string,
    { readonly startsAt: number; readonly endsAt: number; readonly dayEndsAt: number }
  >;
  readonly checkIns: ReadonlyMap<string, { readonly status: string; readonly chips: number }>;
  readonly away: readonly { readonly from: string; readonly days: number }[];
  readonly rests: readonly { readonly from: string; readonly weekdays: readonly number[] }[];
}

const DAY = 86_400_000;
const GRACE = 15 * 60_000;

/** The states of all dates from `first` to the last one with a check-in or today, and the streak, day by day. */
export function expected(facts: Facts, first: string) {
  const states = new Map<string, string>();
  let [current, longest, held, sinceCompleted, since] = [0, 0, 1, Number.NaN, null as string | null];
  const last = [facts.today, ...facts.checkIns.keys()].toSorted().at(-1) ?? facts.today;
  for (let time = Date.parse(first); time <= Date.parse(last); time += DAY) {
    const date = new Date(time).toISOString().slice(0, 10);
    let state = stateOf(facts, date, time);
    sinceCompleted += 1;
    if (sinceCompleted > 90) [current, since] = [0, null];
    if (state === "completed") {
      if (current === 0) since = date;
      current += 1;
      sinceCompleted = 0;
      if (current > longest) longest = current;
      if (current % 7 === 0 && held < 2) held += 1;
    } else if (state === "failed") {
      if (held > 0) [held, state] = [held - 1, "frozen"];
      else [current, since] = [0, null];
    }
    states.set(date, state);
  }
  const now = states.get(facts.today);
  const atRisk = held === 0 && (now === "not_started" || now === "pending");
  const nextFreezeIn = held === 2 ? null : 7 - (current % 7);
  return { states, streak: { current, longest, since, freezesHeld: held, nextFreezeIn, atRisk } };
}

function stateOf({ now, today, matched, checkIns, away, rests }: Facts, date: string, time: number): string {
  const status = checkIns.get(date)?.status;
  if (status !== undefined) return status === "verified" ? "completed" : status === "rejected" ? "failed" : "pending";
  if (date > today) return "none";
  if (away.some(({ from, days }) => time >= Date.parse(from) && time < Date.parse(from) + days * DAY)) return "off";
  const rule = rests.filter(({ from }) => from <= date).toSorted((a, b) => (a.from < b.from ? 1 : -1))[0];
  if (rule?.weekdays.some((weekday) => weekday % 7 === new Date(time).getUTCDay()) === true) return "off";
  const row = matched.get(date);
  if (row === undefined) return "none";
  if (now < row.startsAt) return "not_started";
  return now < row.dayEndsAt && now <= row.endsAt + GRACE ? "pending" : "failed";
}
