import { battleOutcome, type Winner } from "../people/notification-texts.ts";

/** State at the start of a battle. */
export interface Team {
  /** Chips of its verified check-ins; whole and not negative. */
  readonly chips: number;
  /** Whole and not negative. */
  readonly members: number;
}

const MIN_BAD_GUY_POWER = 100;
const MIN_ROUNDS = 3;

/**
 * The power of a team's robot: floor(chips * 10 + members * 5 + (chips / members) * 20), in whole numbers; 0 without
 * members.
 */
export function robotPower({ chips, members }: Team): number {
  if (members === 0) return 0;
  // Only the last term has a fraction, so rounding it down by itself rounds the sum down.
  return chips * 10 + members * 5 + Math.floor((chips * 20) / members);
}

/** The power of the bad guy: the mean of both robots rounded down, and at least 100. */
export function badGuyPower(red: number, blue: number): number {
  return Math.max(MIN_BAD_GUY_POWER, Math.floor((red + blue) / 2));
}

/**
 * Plays a battle. The teams and the seed determine it, so that anyone can recompute it: the first byte gives 3 to 5 rounds,
 * and the next bytes give each round a luck of 9, 10 or 11 tenths, the same for both teams.
 * @param seed SHA-256 of the Monday as `YYYY-MM-DD`: 32 bytes
 * @returns the powers, the rounds with the damage of each robot to the bad guy and of him to each robot, the damage of all
 *   rounds, and the outcome in one sentence
 */
export function playBattle(red: Team, blue: Team, seed: Uint8Array) {
  const redRobotPower = robotPower(red);
  const blueRobotPower = robotPower(blue);
  const badGuy = badGuyPower(redRobotPower, blueRobotPower);
  const rounds = Array.from({ length: MIN_ROUNDS + (byteOf(seed, 0) % 3) }, (_, index) => {
    const luck = 9 + (byteOf(seed, index + 1) % 3);
    return {
      round: index + 1,
      redDamage: Math.floor((redRobotPower * luck) / 10),
      blueDamage: Math.floor((blueRobotPower * luck) / 10),
      badGuyDamage: Math.floor((badGuy * luck) / 20),
    };
  });
  const redDamage = rounds.reduce((sum, round) => sum + round.redDamage, 0);
  const blueDamage = rounds.reduce((sum, round) => sum + round.blueDamage, 0);
  const winner: Winner = redDamage === blueDamage ? "tie" : redDamage > blueDamage ? "red" : "blue";
  return {
    redRobotPower,
    blueRobotPower,
    badGuyPower: badGuy,
    rounds,
    redDamage,
    blueDamage,
    winner,
    finalOutcome: battleOutcome(winner, redDamage, blueDamage),
  };
}

function byteOf(seed: Uint8Array, index: number): number {
  const byte = seed[index];
  if (byte === undefined) throw new RangeError("A seed has 32 bytes.");
  return byte;
}
