/** Style of the game's page. Colours follow the system's light or dark setting; the teams and states keep theirs. */
export const gamePageStyle = `
:root { --ink: #2b2418; --soft: #6d624f; --paper: #fdf9f0; --card: #ffffff; --line: #eadfc8; --honey: #b87700; --red: #c02626; --blue: #1d5fd0; --done: #15803d; --gone: #c02626; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f3ead8; --soft: #b5a98f; --paper: #191510; --card: #231e16; --line: #3b3325; --honey: #f2b233; --red: #f87171; --blue: #7fb0ff; --done: #4ade80; --gone: #f87171; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
a { color: var(--honey); }
h1 { margin: 0; font-size: 1.9rem; letter-spacing: -0.02em; }
h2 { margin: 0 0 .7rem; font-size: 1rem; }
h3 { margin: 0; font-size: .95rem; text-transform: capitalize; }
.soft, small, li.not_started, li.pending { color: var(--soft); }
section { margin: 0 0 1rem; padding: 1.1rem 1.3rem 1.3rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
img { display: block; width: 100%; max-width: 26rem; border: 1px solid var(--line); border-radius: 10px; }
.red { color: var(--red); }
.blue { color: var(--blue); }
.completed, li.completed span { color: var(--done); }
.failed, li.failed span { color: var(--gone); }
.bar { height: .9rem; border-radius: 999px; overflow: hidden; background: var(--blue); }
.bar i { display: block; height: 100%; background: var(--red); }
.sides { display: flex; flex-wrap: wrap; gap: .3rem 2rem; justify-content: space-between; }
.sides span { display: inline-block; }
.sides span::first-letter { text-transform: uppercase; }
table { width: 100%; border-collapse: collapse; font-size: .93rem; }
th { text-align: left; font-weight: 500; color: var(--soft); }
td { padding: .2rem .8rem .2rem 0; border-top: 1px solid var(--line); }
.teams { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: 1.2rem; }
ul { list-style: none; margin: .5rem 0; padding: .5rem .8rem; border: 1px solid var(--line); border-radius: 10px; }
`;
