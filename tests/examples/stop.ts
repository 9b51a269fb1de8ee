import type { Person } from "../support/people.ts";
import type { Recorder } from "./recorder.ts";

/** What the tour needs besides the API. */
export interface TourOptions {
  /** Superuser connection URL of the database. */
  readonly adminUrl: string;
  readonly jwtSecret: string;
  /** Where devices subscribe. */
  readonly pushUrl: string;
  readonly paymentSecret: string;
  readonly mailSecret: string;
}

/** What every part of the tour uses. */
export interface Stop {
  readonly call: Recorder["call"];
  readonly options: TourOptions;
  readonly person: (name: string) => Promise<Person>;
  readonly today: string;
}
