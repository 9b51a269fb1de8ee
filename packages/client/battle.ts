import type { BattleProof } from "./types.generated.ts";

/**
 * Recomputes a battle, without the service.
 * @param proof of `readBattleProof`
 * @returns whether the result follows from the chips and members of both teams; false also for anything that is no proof
 * @throws TypeError where the platform has no `crypto.subtle`, such as React Native
 */
export async function verifyBattle(proof: BattleProof): Promise<boolean> {
  if (globalThis.crypto?.subtle === undefined) throw new TypeError("There is no `crypto.subtle` here.");
  try {
    const { algorithm, weekStartDate, seed, red, blue, digest } = proof;
    const { winner, powers, rounds } = proof.result;
    if (algorithm !== "battle-1" || new Date(`${weekStartDate}T00:00:00Z`).getUTCDay() !== 1) return false;
    if (![red, blue].flatMap(({ chips, members }) => [chips, members]).every(isCount)) return false;
    const bytes = await sha256(weekStartDate);
    return (
      seed === hex(bytes) &&
      digest === hex(await sha256(canonical({ algorithm, weekStartDate, seed, red, blue }))) &&
      canonical({ winner, powers, rounds }) === canonical(replay(red, blue, bytes))
    );
  } catch {
    return false;
  }
}

type Team = BattleProof["red"];

/** Luck is the same for both teams: 9, 10 or 11 tenths in each of three to five rounds. */
function replay(redTeam: Team, blueTeam: Team, seed: Uint8Array): BattleProof["result"] {
  const [red, blue] = [powerOf(redTeam), powerOf(blueTeam)];
  const badGuy = Math.max(100, Math.floor((red + blue) / 2));
  const [first = 0, ...others] = seed;
  const rounds = others.slice(0, 3 + (first % 3)).map((byte, index) => {
    const luck = 9 + (byte % 3);
    const share = (power: number, of: number) => Math.floor((power * luck) / of);
    return {
      round: index + 1,
      redDamage: share(red, 10),
      blueDamage: share(blue, 10),
      badGuyDamage: share(badGuy, 20),
    };
  });
  const lead = rounds.reduce((sum, { redDamage, blueDamage }) => sum + redDamage - blueDamage, 0);
  return { winner: lead === 0 ? "tie" : lead > 0 ? "red" : "blue", powers: { red, blue, badGuy }, rounds };
}

function powerOf({ chips, members }: Team): number {
  return members === 0 ? 0 : Math.floor((chips * 10 * members + 5 * members * members + chips * 20) / members);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** JSON with sorted keys and without spaces (RFC 8785), of plain objects with ASCII texts and whole numbers. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join()}}`;
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
