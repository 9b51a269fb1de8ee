/** Style of the home page. Colours follow the system's light or dark setting. */
export const homePageStyle = `
:root { --ink: #2b2418; --soft: #6d624f; --paper: #fdf9f0; --card: #ffffff; --line: #eadfc8; --honey: #b87700; --on-honey: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f3ead8; --soft: #b5a98f; --paper: #191510; --card: #231e16; --line: #3b3325; --honey: #f2b233; --on-honey: #231a05; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
header { display: flex; gap: 1rem; align-items: center; }
header svg { fill: var(--honey); flex: none; }
h1 { margin: 0; font-size: 1.9rem; letter-spacing: -0.02em; line-height: 1.2; }
header p { margin: 0; color: var(--soft); }
nav { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1.6rem 0 2.2rem; }
nav a { padding: .5rem 1rem; border: 1px solid var(--line); border-radius: 999px; background: var(--card); color: inherit; text-decoration: none; }
nav a:hover { border-color: var(--honey); }
nav a.primary { background: var(--honey); border-color: var(--honey); color: var(--on-honey); font-weight: 600; }
a:focus-visible, button:focus-visible { outline: 2px solid var(--honey); outline-offset: 2px; }
section { margin: 0 0 1rem; padding: 1.1rem 1.3rem 1.3rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
h2 { margin: 0 0 .7rem; font-size: 1rem; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .93rem; }
th { text-align: left; font-weight: 500; color: var(--soft); padding: 0 .8rem .2rem 0; }
td { padding: .3rem .8rem .3rem 0; border-top: 1px solid var(--line); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.2rem; margin: 0; font-size: .93rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
code, pre { font: .88em/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.snippet { position: relative; }
pre { margin: 0; padding: .9rem 1rem; overflow-x: auto; background: var(--paper); border: 1px solid var(--line); border-radius: 10px; }
button { position: absolute; top: .5rem; right: .5rem; padding: .2rem .7rem; font: inherit; font-size: .8rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 999px; cursor: pointer; }
button:hover { border-color: var(--honey); }
footer { margin-top: 1.6rem; color: var(--soft); font-size: .9rem; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`;

/** Script of the home page: the copy buttons. */
export const homePageScript = `
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    const code = button.parentElement.querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Press Ctrl-C";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}
`;
