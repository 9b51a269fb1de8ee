/** Style of the game, beside that of the home page; the teams and the states keep their colours. */
export const gameStyle = `
:root { --red: #c02626; --blue: #1d5fd0; --done: #15803d; --gone: #c02626; }
@media (prefers-color-scheme: dark) {
  :root { --red: #f87171; --blue: #7fb0ff; --done: #4ade80; --gone: #f87171; }
}
main a { color: var(--honey); }
main nav a { color: inherit; }
main nav a.primary { color: var(--on-honey); }
h3 { margin: 0; font-size: .95rem; text-transform: capitalize; }
.soft, .game small, .game li.not_started, .game li.pending { color: var(--soft); }
.game img { display: block; width: 100%; max-width: 22rem; border: 1px solid var(--line); border-radius: 10px; }
.game .red { color: var(--red); }
.game .blue { color: var(--blue); }
.game .completed, .game li.completed span { color: var(--done); }
.game .failed, .game li.failed span { color: var(--gone); }
.game .bar { height: .9rem; border-radius: 999px; overflow: hidden; background: var(--blue); }
.game .bar i { display: block; height: 100%; background: var(--red); }
.game .sides { display: flex; flex-wrap: wrap; gap: .3rem 2rem; justify-content: space-between; }
.game .sides span { display: inline-block; }
.game .sides span::first-letter { text-transform: uppercase; }
.game .teams { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1.2rem; }
.game ul { list-style: none; margin: .5rem 0; padding: .5rem .8rem; border: 1px solid var(--line); border-radius: 10px; }
`;

/** Milliseconds between two looks at the game. */
const LOOK_EVERY_MS = 4_000;

/**
 * Script of the pages that show the game: asks for its parts while the page is looked at, and puts them in place when they
 * have changed. What it puts there is HTML of the local stack, in which people's texts are escaped; and the policy of the
 * pages runs no script but theirs.
 */
export const gameScript = `
for (const place of document.querySelectorAll("[data-live]")) {
  let shown = "";
  const look = async () => {
    try {
      const response = document.hidden ? null : await fetch(place.dataset.live);
      const parts = response?.ok ? await response.text() : shown;
      if (parts !== shown) place.innerHTML = shown = parts;
    } catch {
      // Nobody answers while the stack starts again; what was shown stays.
    }
    setTimeout(look, ${LOOK_EVERY_MS});
  };
  look();
}
`;
