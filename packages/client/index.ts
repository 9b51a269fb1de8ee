export { verifyBattle } from "./battle.ts";
export type { CallOptions, LocalFile, Paged, Pages, Upload } from "./calls.ts";
export { type ClientErrorCode, type Issue, NectarError } from "./errors.ts";
export { createNectar, type Nectar, type NectarOptions, type NewPicture, type PhotoCheckIn } from "./nectar.ts";
export type * from "./types.generated.ts";
