import type { DemoSharing, NotebookKey } from "./notebooks.ts";

/** An entry of the demo data, written at an hour of its author's day. */
export interface DemoEntry {
  /** Days before today, at least 1, west of Greenwich 2: an entry is never from the future. */
  daysAgo: number;
  /** Local time of the author, HH:MM. */
  at: string;
  title: string;
  text: string;
  mood?: string;
  /** Whether a model found the mood; false when left out. */
  isMoodDetected?: boolean;
  tags?: readonly string[];
  /** One of the author's own notebooks. */
  notebook?: NotebookKey;
  sharing?: DemoSharing;
  /** Whether what is not said in `sharing` comes from the notebook (true when left out) or is private. */
  inherit?: boolean;
}
