import { createApp } from "@nectar/http/create-app";
import type { Services } from "@nectar/http/services";

/** The daily game: windows, chains, squads, check-ins with photos, mosaics and battles. */
export function workoutWindowApp(services: Services) {
  return createApp(services);
}
