import { createHash } from "node:crypto";
import { ENUMS } from "../enums.generated.ts";
import {
  type Shares,
  SYNTHETIC_REGIONS,
  SYNTHETIC_WINDOWS,
  type SyntheticActivity,
  type SyntheticConfig,
  type SyntheticRegion,
  type SyntheticWindow,
} from "./synthetic.ts";

/** A synthetic user without an account yet. */
export interface SyntheticPerson {
  readonly full_name: string;
  readonly region: SyntheticRegion;
  readonly city: string;
  /** Two letters. */
  readonly state: string;
  /** IANA time zone of the city. */
  readonly timezone: string;
  /** Degrees, within a few kilometers of the city's center. */
  readonly latitude: number;
  readonly longitude: number;
  readonly activity_type: SyntheticActivity;
  /** Set if and only if the activity is `other`. */
  readonly custom_activity: string | null;
  /** HH:MM in the time zone. */
  readonly window_start: string;
  readonly window_end: string;
  readonly check_in_probability: number;
}

type City = readonly [name: string, state: string, timezone: string, latitude: number, longitude: number];

const CITIES: Readonly<Record<SyntheticRegion, readonly City[]>> = {
  "West Coast": [
    ["Los Angeles", "CA", "America/Los_Angeles", 34.0522, -118.2437],
    ["San Francisco", "CA", "America/Los_Angeles", 37.7749, -122.4194],
    ["San Diego", "CA", "America/Los_Angeles", 32.7157, -117.1611],
    ["Seattle", "WA", "America/Los_Angeles", 47.6062, -122.3321],
    ["Portland", "OR", "America/Los_Angeles", 45.5152, -122.6784],
  ],
  "East Coast": [
    ["New York", "NY", "America/New_York", 40.7128, -74.006],
    ["Boston", "MA", "America/New_York", 42.3601, -71.0589],
    ["Philadelphia", "PA", "America/New_York", 39.9526, -75.1652],
    ["Washington", "DC", "America/New_York", 38.9072, -77.0369],
    ["Baltimore", "MD", "America/New_York", 39.2904, -76.6122],
  ],
  Midwest: [
    ["Chicago", "IL", "America/Chicago", 41.8781, -87.6298],
    ["Detroit", "MI", "America/Detroit", 42.3314, -83.0458],
    ["Minneapolis", "MN", "America/Chicago", 44.9778, -93.265],
    ["Columbus", "OH", "America/New_York", 39.9612, -82.9988],
    ["Indianapolis", "IN", "America/Indiana/Indianapolis", 39.7684, -86.1581],
  ],
  South: [
    ["Atlanta", "GA", "America/New_York", 33.749, -84.388],
    ["Houston", "TX", "America/Chicago", 29.7604, -95.3698],
    ["Dallas", "TX", "America/Chicago", 32.7767, -96.797],
    ["Nashville", "TN", "America/Chicago", 36.1627, -86.7816],
    ["Miami", "FL", "America/New_York", 25.7617, -80.1918],
  ],
  "Mountain West": [
    ["Denver", "CO", "America/Denver", 39.7392, -104.9903],
    // Arizona has no daylight saving time.
    ["Phoenix", "AZ", "America/Phoenix", 33.4484, -112.074],
    ["Salt Lake City", "UT", "America/Denver", 40.7608, -111.891],
    ["Boise", "ID", "America/Boise", 43.615, -116.2023],
    ["Albuquerque", "NM", "America/Denver", 35.0844, -106.6504],
  ],
};

const TIMES: Readonly<Record<SyntheticWindow, readonly [start: string, end: string]>> = {
  "6-8am": ["06:00", "08:00"],
  "8-10am": ["08:00", "10:00"],
  "12-2pm": ["12:00", "14:00"],
  "2-4pm": ["14:00", "16:00"],
  "4-6pm": ["16:00", "18:00"],
  "6-8pm": ["18:00", "20:00"],
};

const FIRST_NAMES = [
  ..."Aaliyah Adrian Aisha Alejandro Amara Andre Anika Arturo Bianca Brandon Camila Carlos Chloe Connor Daniela".split(
    " ",
  ),
  ..."Darius Deepa Diego Elena Elijah Emma Ethan Fatima Felix Gabriela Grace Hannah Hassan Imani Isaac Jada".split(" "),
  ..."Jamal Jasmine Jin Jordan Kai Keiko Kenji Layla Leo Lucia Malik Maya Mei Miguel Nadia Naomi Noah Nora".split(" "),
  ..."Omar Priya Quinn Rafael Rosa Samir Sofia Tariq Thandi Victor Yusuf Zoe".split(" "),
];
const LAST_NAMES = [
  ..."Adams Aguilar Ahmed Anderson Bailey Baker Bennett Brooks Campbell Carter Castillo Chan Chen Clark".split(" "),
  ..."Coleman Cooper Cruz Davis Diaz Edwards Evans Fisher Flores Foster Garcia Gomez Gonzalez Gray Green".split(" "),
  ..."Griffin Gupta Hall Harris Hayes Hernandez Hill Howard Hughes Jackson James Jenkins Johnson Khan Kim".split(" "),
  ..."King Lee Lewis Lopez Martin Mitchell Moore Morales Morgan Murphy Nguyen Ortiz Park Patel Perez Perry".split(" "),
  ..."Price Ramirez Reed Rivera Rogers Ross Sanders Santos Scott Shah Silva Singh Stewart Torres Walker Wong".split(
    " ",
  ),
];
const CUSTOM_ACTIVITIES = ["Yoga", "Gardening", "Piano practice", "Stretching", "Drawing"];

/** Shares are computed in billionths, as whole numbers, to avoid rounding errors. */
const PRECISION = 1_000_000_000;
/** Degrees: about five kilometers. */
const SPREAD = 0.05;

/**
 * Distributes `count` by shares with the largest remainder method, so that the sum is exact.
 * @param names all names; of equal remainders the first name wins
 * @param shares at least one above 0; their sum counts as the whole
 */
export function largestRemainder<Name extends string>(
  count: number,
  names: readonly Name[],
  shares: Shares<Name>,
): Map<Name, number> {
  const weights = names.map((name) => Math.round((shares[name] ?? 0) * PRECISION));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (whole <= 0) throw new RangeError("At least one share must be above 0.");
  const due = names.map((name, index) => {
    const portion = count * (weights[index] ?? 0);
    return { name, index, given: Math.floor(portion / whole), remainder: portion % whole };
  });
  const left = count - due.reduce((sum, { given }) => sum + given, 0);
  const favored = due.toSorted((a, b) => b.remainder - a.remainder || a.index - b.index).slice(0, left);
  const extra = new Set(favored.map(({ name }) => name));
  return new Map(due.map(({ name, given }) => [name, given + (extra.has(name) ? 1 : 0)]));
}

/**
 * Draws synthetic users; the same arguments draw the same people. Regions, activities and windows are distributed exactly,
 * and shuffled independently.
 * @param count 1 to 1000; no two have the same name
 */
export function drawSyntheticPeople(count: number, config: SyntheticConfig, seed: string): SyntheticPerson[] {
  const regions = distributed(count, SYNTHETIC_REGIONS, config.regions, randomly(seed, "regions"));
  const activities = distributed(count, ENUMS.activity_type, config.activities, randomly(seed, "activities"));
  const windows = distributed(count, SYNTHETIC_WINDOWS, config.windows, randomly(seed, "windows"));
  const names = shuffled(
    FIRST_NAMES.flatMap((first) => LAST_NAMES.map((last) => `${first} ${last}`)),
    randomly(seed, "names"),
  );
  const locations = randomly(seed, "places");
  const customs = randomly(seed, "customs");
  return regions.map((region, index) => {
    const [city, state, timezone, latitude, longitude] = oneOf(CITIES[region], locations);
    const activity_type = at(activities, index);
    const [window_start, window_end] = TIMES[at(windows, index)];
    return {
      full_name: at(names, index),
      region,
      city,
      state,
      timezone,
      latitude: near(latitude, locations),
      longitude: near(longitude, locations),
      activity_type,
      custom_activity: activity_type === "other" ? oneOf(CUSTOM_ACTIVITIES, customs) : null,
      window_start,
      window_end,
      check_in_probability: config.checkInProbability,
    };
  });
}

/** The next number of a sequence, from 0 to 1, exclusive. */
type Random = () => number;

/** A separate sequence for each purpose, so that an additional draw in one does not change the others. */
function randomly(seed: string, purpose: string): Random {
  let state = createHash("sha256").update(`${purpose}:${seed}`).digest().readUInt32BE();
  return () => {
    // Mulberry32: small, and uniform enough for names and locations.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function distributed<Name extends string>(
  count: number,
  names: readonly Name[],
  shares: Shares<Name>,
  random: Random,
): Name[] {
  const all = [...largestRemainder(count, names, shares)].flatMap(([name, given]) => Array<Name>(given).fill(name));
  return shuffled(all, random);
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const order = items.map((item) => ({ item, key: random() }));
  return order.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
}

function oneOf<Item>(items: readonly Item[], random: Random): Item {
  return at(items, Math.floor(random() * items.length));
}

function near(degrees: number, random: Random): number {
  return Number((degrees + (random() * 2 - 1) * SPREAD).toFixed(6));
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined) throw new RangeError("There are not enough items to draw from.");
  return item;
}
