import { html } from "hono/html";
import type { EndedSpan } from "#core/work/ended-span";
import type { Html } from "../support/html.ts";
import type { RecentWork, Trace } from "./recent-work.ts";

/** The part of a page that shows the latest requests and jobs; the page must have game.js. */
export function workSection(): Html {
  return html`<div class="work" data-live="/work/parts"></div>`;
}

/** The latest requests and jobs, without a page around them. */
export function workParts({ traces, jobs }: RecentWork): Html {
  return html`<section><h2>Latest requests</h2>${tracesPart(traces())}</section>
<section><h2>Latest jobs</h2>${jobsPart(jobs())}</section>`;
}

function tracesPart(traces: readonly Trace[]): Html {
  if (traces.length === 0) return html`<p class="soft">Nothing was requested yet.</p>`;
  const rows = traces.map(
    ({ first, parts }) =>
      html`<tr><td><code>${first.name}</code><br><small>${partsText(parts)}</small></td><td class="${colorOf(first)}">${outcomeOf(first)}</td><td>${milliseconds(first.durationMs)}</td></tr>`,
  );
  return html`<table><thead><tr><th>The latest of each endpoint, and what it did</th><th></th><th></th></tr></thead><tbody>${rows}</tbody></table>`;
}

function jobsPart(jobs: readonly EndedSpan[]): Html {
  if (jobs.length === 0) return html`<p class="soft">No job has run since the start.</p>`;
  const rows = jobs.map(
    (job) =>
      html`<tr><td><code>${job.name}</code></td><td>${job.startedAt.toISOString().slice(11, 19)} UTC</td><td class="${colorOf(job)}">${outcomeOf(job)}</td><td>${milliseconds(job.durationMs)}</td></tr>`,
  );
  return html`<table><tbody>${rows}</tbody></table>`;
}

/** `transaction nectar_user 2 × 3.1 ms, models complete 310 ms` */
function partsText(parts: readonly EndedSpan[]): string {
  const byName = Map.groupBy(parts, ({ name }) => name);
  return [...byName]
    .map(([name, same]) => {
      const sum = same.reduce((total, { durationMs }) => total + durationMs, 0);
      return `${name} ${same.length > 1 ? `${same.length} × ` : ""}${milliseconds(sum / same.length)}`;
    })
    .join(", ");
}

function outcomeOf({ attributes, hasFailed }: EndedSpan): string {
  const status = attributes["http.response.status_code"];
  if (typeof status === "number") return String(status);
  return hasFailed ? "failed" : "done";
}

function colorOf({ hasFailed }: EndedSpan): string {
  return hasFailed ? "failed" : "completed";
}

function milliseconds(duration: number): string {
  return `${duration < 10 ? duration.toFixed(1) : Math.round(duration)} ms`;
}
