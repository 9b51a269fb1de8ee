/** The only source of the current time, so that tests can replace it. */
export interface Clock {
  now(): Date;
}
