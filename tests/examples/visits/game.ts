import { addDays, weekStart } from "#core/time/calendar-date";
import { cameraTime, jpegWith } from "#tests/photos";
import { textAt } from "../recorder.ts";
import type { Stop } from "../stop.ts";

// The game.

export async function visitGame({ call, person, today }: Stop): Promise<void> {
  const [{ token }, admin] = [await person("demo"), await person("admin")];
  const yesterday = addDays(today, -1);
  await call("readWorkoutWindow", { token });
  await call("readChain", { token, params: { date: yesterday } });
  await call("readSquad", { token, params: { date: yesterday } });
  const sent = await call("sendSquadMessage", {
    token,
    params: { date: yesterday },
    body: { content: "Done, in the rain. Your turn!" },
  });
  await call("listSquadMessages", { token, params: { date: yesterday } });
  await call("deleteSquadMessage", {
    token,
    params: { date: yesterday, messageId: textAt(sent, "teamMessage.id") },
  });
  await call("readTeamStats", { token, params: { date: yesterday } });
  await call("readWorkoutCheckIn", { token, params: { date: addDays(today, -2) } });
  await call("listWorkoutCheckIns", { token, params: { date: yesterday } });
  await call("readMosaic", { token, params: { date: yesterday } });
  await call("readBattleWeek", { token, params: { weekStartDate: addDays(weekStart(today), -7) } });
  await call("readBattleProof", { token, params: { weekStartDate: addDays(weekStart(today), -7) } });
  await call("listBattles", { token });
  await call("listWeeklyStats", { token });
  await call("readToday", { token });
  await call("readStreak", { token });
  await call("readWorkoutCalendar", { token, query: { from: addDays(today, -3), to: today } });
  await call("readTeamsOfDate", { token: admin.token, params: { date: yesterday } });
  await call("generateChains", { token: admin.token, body: { date: today } });
  await call("runChainGeneration", { body: { date: today } });
  await call("generateMosaic", { token: admin.token, params: { date: yesterday } });
  await call("executeBattle", { token: admin.token, params: { weekStartDate: addDays(weekStart(today), -7) } });
}

export async function visitCheckIns({ call, person }: Stop): Promise<void> {
  const [{ token }, admin] = [await person("hana"), await person("admin")];
  const now = new Date();
  const hour = (of: number) => `${String(of % 24).padStart(2, "0")}:00`;
  await call("setWorkoutWindow", {
    token,
    body: {
      activityType: "walk",
      windowStartTime: hour(now.getUTCHours()),
      windowEndTime: hour(now.getUTCHours() + 2),
      timezone: "UTC",
    },
  });
  await call("updateLocation", { token, body: { city: "Prague", country: "CZ", timezone: "Europe/Prague" } });
  await call("createPhotoUpload", { token, body: { contentType: "image/jpeg", size: 734_003 } });
  const photo = await jpegWith({ taken: cameraTime(now.toISOString()), offset: "+00:00" });
  const form = new FormData();
  form.set("photo", new Blob([new Uint8Array(photo)]), "walk.jpg");
  form.set("activityType", "walk");
  await call("createWorkoutCheckIn", { token, body: form, shownBody: { activityType: "walk" } });
  await call("setRestDays", { token, body: { weekdays: [7] } });
  await call("setPlayerActive", { token, body: { isActive: false } });
  const pending = await call("listCheckInsForReview", { token: admin.token, query: { status: "pending" } });
  await call("reviewCheckIn", {
    token: admin.token,
    params: { id: textAt(pending, "checkins.0.id") },
    body: { status: "verified", reason: "The trail is far away, and so was she." },
  });
}

export async function visitSyntheticUsers({ call, person }: Stop): Promise<void> {
  const { token } = await person("admin");
  await call("generateSyntheticUsers", {
    token,
    // One, so that the newest of the list is always the same.
    body: { count: 1, config: { regions: { "East Coast": 1 }, seed: "example" } },
  });
  const listed = await call("listSyntheticUsers", { token });
  const id = textAt(listed, "users.0.id");
  await call("toggleSyntheticUser", { token, params: { id }, body: { isActive: false } });
  await call("deleteSyntheticUser", { token, params: { id } });
}
