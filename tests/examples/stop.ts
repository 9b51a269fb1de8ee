import type { Person } from "#tests/people";
import type { Recorder } from "./recorder.ts";

export interface TourOptions {
  /** Superuser connection URL of the database. */
  readonly adminUrl: string;
  readonly jwtSecret: string;
  readonly pushUrl: string;
  readonly paymentSecret: string;
  readonly mailSecret: string;
}

export interface Stop {
  readonly call: Recorder["call"];
  readonly options: TourOptions;
  readonly person: (name: string) => Promise<Person>;
  readonly today: string;
}
