import { type PersonKey, people } from "./people.ts";
import { stableId } from "./stable.ts";

/** A mail that somebody of the demo data had sent. */
export interface DemoMail {
  from: PersonKey;
  /** The address. */
  to: string;
  daysAgo: number;
  /** UTC, HH:MM. */
  at: string;
  subject: string;
  html: string | null;
  text: string | null;
  outcome: "delivered" | "bounced";
}

/** Mails of the last days, oldest first, as the mailbox shows them. */
export const mails: readonly DemoMail[] = [
  {
    from: "demo",
    to: "pier-office@ferries.example",
    daysAgo: 6,
    at: "09:15",
    subject: "Access to the departures feed",
    html: null,
    text: "Good morning,\n\nthe address on your site bounces, so I try this one. We would like to read the departures of the\nlast year, not only today's. A file is fine.\n\nRobin Vale, Harbor Street Studio",
    outcome: "bounced",
  },
  {
    from: "priya",
    to: people.demo.email,
    daysAgo: 4,
    at: "05:40",
    subject: "Week 6: three runs, one of them lazy",
    html: `<div style="font-family:Georgia,serif;max-width:34rem;margin:auto;color:#2b2a27">
<h1 style="font-size:1.4rem;border-bottom:3px solid #e09a00;padding-bottom:.4rem">Slow Miles, week 6</h1>
<p>Dear Robin,</p>
<p>you asked for it in writing, so here it is in writing. If the calf says anything, the lazy one is the one to keep.</p>
<table style="border-collapse:collapse;width:100%">
<tr style="background:#fff3d6"><th align="left" style="padding:.5rem">Day</th><th align="left" style="padding:.5rem">What</th><th align="right" style="padding:.5rem">km</th></tr>
<tr><td style="padding:.5rem">Tuesday</td><td style="padding:.5rem">Lazy, talking</td><td align="right" style="padding:.5rem">5</td></tr>
<tr><td style="padding:.5rem">Thursday</td><td style="padding:.5rem">Hill, six times, walking down</td><td align="right" style="padding:.5rem">6</td></tr>
<tr><td style="padding:.5rem">Sunday</td><td style="padding:.5rem">Long, by the river</td><td align="right" style="padding:.5rem">12</td></tr>
</table>
<p style="color:#7a756b">Priya, who skipped hers today</p>
</div>`,
    text: "Dear Robin,\n\nTuesday 5 km lazy, Thursday 6 km on the hill, Sunday 12 km by the river.\nIf the calf says anything, keep the lazy one.\n\nPriya",
    outcome: "delivered",
  },
  {
    from: "maya",
    to: people.demo.email,
    daysAgo: 2,
    at: "13:20",
    subject: "Notes from the review of the ferry app",
    html: `<div style="font-family:system-ui,sans-serif;max-width:34rem;margin:auto">
<p style="background:#0b3d4a;color:#fff;padding:1rem;border-radius:.5rem;font-size:1.2rem;margin:0">leaves in 6 minutes, walk now</p>
<p>Robin, three things from today:</p>
<ol><li>The one line stays. Nobody wants the table back.</li>
<li>Aiko's third round of icons goes in on Monday.</li>
<li>Your number for <em>people who put the phone away</em>: can it be on one slide?</li></ol>
<p>Maya</p></div>`,
    text: null,
    outcome: "delivered",
  },
  {
    from: "demo",
    to: people.leila.email,
    daysAgo: 1,
    at: "16:30",
    subject: "The slow line along the river",
    html: "<p>Leila, I looked it up: your river and mine are <strong>8,900 km</strong> apart and both are late this week.</p><p>Four days from Thursday I shall run along a third one.</p><p>Robin</p>",
    text: "Leila, your river and mine are 8,900 km apart and both are late this week.\n\nRobin",
    outcome: "delivered",
  },
];

/** The mail provider's id of a mail, the same in its mailbox and in the database. */
export function providerIdOf({ from, subject }: DemoMail): string {
  return stableId(`mail ${from} ${subject}`);
}
