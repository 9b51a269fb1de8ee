// Shows the game: requests its parts while the page is visible, and replaces them when they have changed. The parts are HTML of
// the local stack, which escapes people's texts; the policy of the page runs no script but this one.
const LOOK_EVERY_MS = 4_000;
for (const place of document.querySelectorAll("[data-live]")) {
  let shown = "";
  const look = async () => {
    try {
      const response = document.hidden ? null : await fetch(place.dataset.live);
      const parts = response?.ok ? await response.text() : shown;
      if (parts !== shown) place.innerHTML = shown = parts;
    } catch {
      // The stack is restarting: keep what is shown.
    }
    setTimeout(look, LOOK_EVERY_MS);
  };
  look();
}
