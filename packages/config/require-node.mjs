// Loaded before every script of this project (`node --import`). Plain JavaScript, because an older Node cannot parse
// TypeScript and would fail before it could say why.
const required = 24;
const running = Number(process.versions.node.split(".")[0]);
if (running < required) {
  console.error(
    `Nectar needs Node ${required} or newer and this is Node ${process.versions.node}: run it as an npm script after \`npm ci\`, which installs Node ${required} for this project.`,
  );
  process.exit(1);
}
