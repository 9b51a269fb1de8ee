/** The only source of the current time, so that tests can hold it. */
export interface Clock {
  now(): Date;
}
