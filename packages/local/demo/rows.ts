import { entries } from "./entries.ts";
import type { DemoEntry } from "./entry.ts";
import { type DemoMembership, type DemoOrganization, type DemoTeam, organizations, teams } from "./groups.ts";
import { type DemoNotebook, type DemoSharing, notebooks } from "./notebooks.ts";
import { type DemoPerson, people } from "./people.ts";
import { stableId, timeOfDay } from "./stable.ts";
import { type DemoTonePack, tonePacks } from "./tone-packs.ts";

// The demo data as rows for SQL. People go by their short names, since Auth chooses the ids of those who sign up; what
// happens on one day happens in the order sign-up, organization, team, notebook.

/** @returns rows of `person, email, full_name, avatar_url, time_zone, days_ago, at`. */
export function personRows() {
  return Object.entries<DemoPerson>(people).map(
    ([person, { email, fullName, avatarUrl, timeZone, joinedDaysAgo }]) => ({
      person,
      email,
      full_name: fullName,
      avatar_url: avatarUrl,
      time_zone: timeZone,
      days_ago: joinedDaysAgo,
      at: timeOfDay("09:00", person, 30),
    }),
  );
}

/** @returns rows of `id, name, description, person` (the owner)`, days_ago, at`. */
export function organizationRows() {
  return Object.entries<DemoOrganization>(organizations).map(([key, organization]) => ({
    id: organizationId(key),
    name: organization.name,
    description: organization.description,
    person: organization.owner,
    days_ago: organization.createdDaysAgo,
    at: timeOfDay("09:30", key, 30),
  }));
}

/** @returns rows of `group_id, person, role, days_ago, at`. */
export function organizationMemberRows() {
  return Object.entries<DemoOrganization>(organizations).flatMap(([key, { members }]) =>
    memberRows(organizationId(key), members, "10:00"),
  );
}

/** @returns rows of `id, org_id, name, description, person` (the primary admin)`, days_ago, at`. */
export function teamRows() {
  return Object.entries<DemoTeam>(teams).map(([key, team]) => ({
    id: teamId(key),
    org_id: organizationId(team.organization),
    name: team.name,
    description: team.description,
    person: team.admin,
    days_ago: team.createdDaysAgo,
    at: timeOfDay("10:30", key, 30),
  }));
}

/** @returns rows of `group_id, person, role, days_ago, at`. */
export function teamMemberRows() {
  return Object.entries<DemoTeam>(teams).flatMap(([key, { members }]) => memberRows(teamId(key), members, "11:00"));
}

/** @returns rows of `id, person, name, description, days_ago, at` and the sharing columns. */
export function notebookRows() {
  return Object.entries<DemoNotebook>(notebooks).map(([key, notebook]) => ({
    id: notebookId(key),
    person: notebook.owner,
    name: notebook.name,
    description: notebook.description,
    ...sharingColumns(notebook.sharing),
    days_ago: notebook.createdDaysAgo,
    at: timeOfDay("12:00", key, 30),
  }));
}

/** @returns rows of `id, person, notebook_id, title, content, mood, found_mood, tags, inherit, days_ago, at` and the sharing columns. */
export function entryRows() {
  return Object.entries<readonly DemoEntry[]>(entries).flatMap(([person, written]) =>
    written.map((entry) => ({
      id: stableId(`entry ${person} ${entry.title}`),
      person,
      notebook_id: entry.notebook === undefined ? null : notebookId(entry.notebook),
      title: entry.title,
      content: entry.text,
      mood: entry.isMoodDetected === true ? null : (entry.mood ?? null),
      found_mood: entry.isMoodDetected === true ? (entry.mood ?? null) : null,
      tags: entry.tags ?? [],
      ...sharingColumns(entry.sharing),
      inherit: entry.inherit ?? true,
      days_ago: entry.daysAgo,
      at: timeOfDay(entry.at, entry.title),
    })),
  );
}

/** @returns rows of `id, person` (the owner)`, name, description, theme, is_public, price_drops, days_ago, at`. */
export function tonePackRows() {
  return packs().map(([key, pack]) => ({
    id: tonePackId(key),
    person: pack.owner,
    name: pack.name,
    description: pack.description,
    theme: pack.theme,
    is_public: pack.isPublic,
    price_drops: pack.priceDrops,
    days_ago: pack.createdDaysAgo,
    at: timeOfDay("12:30", key, 30),
  }));
}

/** @returns rows of `pack_id, person`. */
export function tonePackShareRows() {
  return packs().flatMap(([key, { sharedWith }]) => sharedWith.map((person) => ({ pack_id: tonePackId(key), person })));
}

/** Who shows the images of which pack. @returns rows of `pack_id, person`. */
export function activeTonePackRows() {
  return packs().flatMap(([key, { activeFor }]) => activeFor.map((person) => ({ pack_id: tonePackId(key), person })));
}

/** The tones that a pack has an image for. @returns rows of `pack_id, tone`. */
export function tonePackToneRows() {
  return packs().flatMap(([key, { tones }]) => tones.map((tone) => ({ pack_id: tonePackId(key), tone })));
}

/** The id of a tone pack. */
export function tonePackId(key: string): string {
  return stableId(`tone pack ${key}`);
}

function packs() {
  return Object.entries<DemoTonePack>(tonePacks);
}

function memberRows(groupId: string, members: DemoOrganization["members"], from: string) {
  return Object.entries<DemoMembership>(members).map(([person, { role, joinedDaysAgo }]) => ({
    group_id: groupId,
    person,
    role: role ?? "member",
    days_ago: joinedDaysAgo,
    at: timeOfDay(from, `${groupId} ${person}`, 30),
  }));
}

function sharingColumns({ metadata, content, team, org }: DemoSharing = {}) {
  return {
    metadata_visibility: metadata ?? "user",
    content_visibility: content ?? "user",
    team_id: team === undefined ? null : teamId(team),
    org_id: org === undefined ? null : organizationId(org),
  };
}

function organizationId(key: string): string {
  return stableId(`organization ${key}`);
}

function teamId(key: string): string {
  return stableId(`team ${key}`);
}

function notebookId(key: string): string {
  return stableId(`notebook ${key}`);
}
