import { setTimeout as pause } from "node:timers/promises";
import { addDays } from "#core/time/calendar-date";
import { stableId } from "#local/demo/rows";
import { query } from "#tests/people";
import { jpegWith } from "#tests/photos";
import { zipOf } from "#tests/zip";
import { textAt } from "../recorder.ts";
import type { Stop } from "../stop.ts";

// The journal, what models make of it, and goals.

export async function visitNotebooks({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("listNotebooks", { token });
  await call("listNotebookEntries", { token, params: { id: stableId("notebook robin-running") } });
  const created = await call("createNotebook", {
    token,
    body: {
      name: "Kitchen table",
      description: "Questions for my father.",
      template: "Question:\n\nWhat he said:\n",
      content_visibility: "user",
    },
  });
  const id = textAt(created, "notebook.id");
  await call("readNotebook", { token, params: { id } });
  await call("previewNotebookAudience", {
    token,
    params: { id: stableId("notebook robin-running") },
    body: { metadata_visibility: "user" },
  });
  await call("updateNotebook", { token, params: { id }, body: { name: "At the kitchen table" } });
  await call("deleteNotebook", { token, params: { id } });
}

export async function visitJournal({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("listJournalEntries", { token });
  await call("listJournalTags", { token });
  await call("listJournalEntriesOnThisDay", { token });
  await call("readJournalStats", { token });
  await call("drawMoodCalendar", { token });
  await call("listMoods", { token });
  const created = await call("createJournalEntry", {
    token,
    body: {
      title: "Eleven kilometres, talking",
      content: "The calf was quiet. We were not.",
      mood: "joyful",
      tags: ["running", "friends"],
    },
  });
  const id = textAt(created, "entry.id");
  await call("readJournalEntry", { token, params: { id } });
  await call("updateJournalEntry", { token, params: { id }, body: { mood: "grateful" } });
  const sharing = {
    metadata_visibility: "org",
    content_visibility: "user",
    org_id: stableId("organization harbor-street"),
  };
  await call("previewJournalEntryAudience", { token, body: { entry_id: id, ...sharing } });
  await call("updateJournalEntry", { token, params: { id }, body: sharing });
  await call("readJournalEntryAudience", { token, params: { id } });
  const maya = await person("maya");
  await call("readJournalEntryAudienceMember", { token, params: { id, userId: maya.id } });
  await call("updateJournalEntry", { token, params: { id }, body: { content_visibility: "org" } });
  const comment = await call("createJournalComment", {
    token: maya.token,
    params: { id },
    body: { content: "Next time I will come along." },
  });
  await call("listJournalComments", { token, params: { id } });
  await call("deleteJournalComment", { token, params: { id, commentId: textAt(comment, "comment.id") } });
  await call("deleteJournalEntry", { token, params: { id } });
  await call("listTrash", { token });
  await call("restoreJournalEntry", { token, params: { id } });
  await call("deleteJournalEntry", { token, params: { id } });
  await call("deleteTrashedEntry", { token, params: { id } });
}

export async function visitEntryPictures({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  const written = await call("createJournalEntry", { token, body: { title: "Fog", content: "Over the whole lake." } });
  const entry_id = textAt(written, "entry.id");
  const photo = new Uint8Array(await jpegWith(null));
  const upload = await call("createPictureUpload", { token, body: { content_type: "image/jpeg", size: photo.length } });
  const headers = { "content-type": "image/jpeg" };
  await fetch(textAt(upload, "upload_url"), { method: "PUT", body: photo, headers });
  const body = { entry_id, picture_key: textAt(upload, "picture_key"), caption: "From the jetty" };
  const id = textAt(await call("createPicture", { token, body }), "picture.id");
  await call("listPictures", { token, query: { entry_id } });
  await call("updatePicture", { token, params: { id }, body: { caption: "From the jetty, at seven" } });
  await call("deletePicture", { token, params: { id } });
}

export async function visitImports({ call, person, options }: Stop): Promise<void> {
  const { token } = await person("demo");
  const archive = zipOf([
    { path: "2019-06-02 The lake.md", content: "---\ntags: [swimming]\nmood: calm\n---\nCold, and very clear." },
    { path: "2019-06-03.md", content: " " },
  ]);
  const created = await call("createImport", { token, body: { source: "markdown", size: archive.length } });
  const headers = { "content-type": "application/zip" };
  await fetch(textAt(created, "import.upload_url"), { method: "PUT", body: archive, headers });
  const id = textAt(created, "import.id");
  await call("startImport", { token, params: { id }, body: { dry_run: true } });
  const running = () => query(options.adminUrl, "select from nectar.journal_imports where status = 'running'");
  while ((await running()).length > 0) await pause(100);
  await call("readImport", { token, params: { id } });
}

export async function visitPictures({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  const content = "The first cold morning. Tea, and the window open all the same.";
  await call("analyzeTone", { token, body: { title: "November", content } });
  await call("generateBackground", { token, body: { title: "November", content, mood: "calm" } });
  await call("listBackgrounds", { token });
}

export async function visitGoals({ call, person, today }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("listGoals", { token });
  const created = await call("createGoal", {
    token,
    body: {
      title: "Swim twice a week",
      description: "The indoor pool counts.",
      target_date: addDays(today, 60),
      weekdays: [2, 5],
    },
  });
  const id = textAt(created, "goal.id");
  const sharing = { metadata_visibility: "org", org_id: stableId("organization harbor-street") };
  await call("previewGoalAudience", { token, body: { goal_id: id, ...sharing } });
  await call("readGoalAudience", { token, params: { id } });
  await call("readGoalAudienceMember", { token, params: { id, userId: (await person("maya")).id } });
  const checkedIn = await call("createGoalCheckIn", {
    token,
    params: { id },
    body: { status: "completed", notes: "Twenty lengths." },
  });
  const checkIn = { id, checkInId: textAt(checkedIn, "check_in.id") };
  const comment = await call("createGoalComment", {
    token,
    params: { id },
    body: { content: "The pool is closed on Friday." },
  });
  await call("listGoalComments", { token, params: { id } });
  await call("deleteGoalComment", { token, params: { id, commentId: textAt(comment, "comment.id") } });
  await call("readGoal", { token, params: { id } });
  await call("listGoalCheckIns", { token, params: { id } });
  await call("updateGoalCheckIn", { token, params: checkIn, body: { notes: "Twenty-two lengths." } });
  await call("deleteGoalCheckIn", { token, params: checkIn });
  await call("updateGoal", { token, params: { id }, body: { status: "paused" } });
  await call("deleteGoal", { token, params: { id } });
  await call("listWellnessEntries", { token });
  const slept = await call("createWellnessEntry", {
    token,
    body: { type: "sleep", hours: 7.5, quality: 4, notes: "One dream." },
  });
  const night = { id: textAt(slept, "wellness_entry.id") };
  await call("readWellnessEntry", { token, params: night });
  await call("updateWellnessEntry", { token, params: night, body: { hours: 8 } });
  await call("listChanges", { token, query: { types: "wellness_entry", limit: "2" } });
  await call("deleteWellnessEntry", { token, params: night });
}

export async function visitAssistant({ call, person }: Stop): Promise<void> {
  const { token } = await person("demo");
  await call("readAssistantSettings", { token });
  await call("updateAssistantSettings", { token, body: { read_notes_enabled: true, check_in_enabled: true } });
  await call("readNoteAnalysis", { token });
  await call("listAnalysisSources", { token });
  await call("deleteNoteAnalyses", { token });
}
