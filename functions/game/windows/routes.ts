import { userOrProgram } from "#http/access/guards";
import { type Endpoint, endpoint } from "#http/endpoint/endpoint";
import { rematchUsers } from "../matching/rematch.ts";
import { updateLocation } from "./location.ts";
import {
  LocationSetResponse,
  LocationUpdate,
  MyWindowResponse,
  RestDays,
  WindowActivity,
  WindowResponse,
  WindowSetResponse,
  WindowSetup,
} from "./schema.ts";
import {
  presentWindow,
  REST_NOTICE_DAYS,
  REST_TRIAL_DAYS,
  readWindowAndLocation,
  setActive,
  setRestDays,
  setWindow,
} from "./windows.ts";

/** Windows, leaving and coming back, and the location. */
export const windowRoutes: readonly Endpoint[] = [
  endpoint(
    "POST /api/workout-window/setup",
    {
      id: "setWorkoutWindow",
      summary: "Set or change your window",
      description:
        "Your first window counts from the day whose window is open now or opens next. If you change it after today's window has opened, the change counts from tomorrow. Today and tomorrow are then matched again.",
      guard: userOrProgram("game:write"),
      body: WindowSetup,
      response: WindowSetResponse,
      quota: { name: "window_change", counted: "by the handler" },
    },
    async ({ services, afterCommit, tx, actor, body, now }) => {
      const window = await setWindow(tx, actor.userId, body, now);
      afterCommit(() => rematchUsers(services, [actor.userId]));
      return { window: presentWindow(window, now), message: `The window counts from ${window.effective_from}.` };
    },
  ),
  endpoint(
    "GET /api/workout-window/my-window",
    {
      id: "readWorkoutWindow",
      summary: "Read your window and location",
      description: "Each is null if you never set it.",
      guard: userOrProgram("game:read"),
      replica: "shared",
      response: MyWindowResponse,
    },
    ({ tx, actor, now }) => readWindowAndLocation(tx, actor.userId, now),
  ),
  endpoint(
    "PUT /api/workout-window/my-window/active",
    {
      id: "setPlayerActive",
      summary: "Leave the game or come back",
      description:
        "It counts from the next date whose window has not opened yet, or from the dates that you name; you can still check in for a window that has opened. Absences that you planned before stay. While you are away, you are in no chain, squad or mosaic and get no reminders. Sending the same again changes nothing. It counts as a change of your window.",
      guard: userOrProgram("game:write"),
      body: WindowActivity,
      response: WindowResponse,
      quota: { name: "window_change", counted: "by the handler" },
      errors: ["game.no_window"],
    },
    async ({ services, afterCommit, tx, actor, body, now }) => {
      const { window, changed } = await setActive(tx, actor.userId, body, now);
      if (changed) afterCommit(() => rematchUsers(services, [actor.userId]));
      return { window: presentWindow(window, now) };
    },
  ),
  endpoint(
    "PUT /api/workout-window/my-window/rest-days",
    {
      id: "setRestDays",
      summary: "Choose weekdays on which you rest",
      description: `On them you do not play, as while you are away. They count from ${REST_NOTICE_DAYS} days after the next date whose window has not opened, and in your first ${REST_TRIAL_DAYS + 1} days from that date. Sending the same again changes nothing; another change before they count replaces them. It counts as a change of your window.`,
      guard: userOrProgram("game:write"),
      body: RestDays,
      response: WindowResponse,
      quota: { name: "window_change", counted: "by the handler" },
      errors: ["game.no_window"],
    },
    async ({ services, afterCommit, tx, actor, body, now }) => {
      const { window, changed } = await setRestDays(tx, actor.userId, body.weekdays, now);
      if (changed) afterCommit(() => rematchUsers(services, [actor.userId]));
      return { window: presentWindow(window, now) };
    },
  ),
  endpoint(
    "PUT /api/workout-window/update-location",
    {
      id: "updateLocation",
      summary: "Update your location",
      description:
        "Fields that you leave out stay as they are; null clears them. If city or region changes, today and tomorrow are matched again. Changes of the coordinates alone do not count against the limit.",
      guard: userOrProgram("game:write"),
      body: LocationUpdate,
      response: LocationSetResponse,
      quota: { name: "window_change", counted: "by the handler" },
    },
    async ({ services, afterCommit, tx, actor, body }) => {
      const { location, moved } = await updateLocation(tx, actor.userId, body);
      if (moved) afterCommit(() => rematchUsers(services, [actor.userId]));
      return { location, message: "The location was saved." };
    },
  ),
];
