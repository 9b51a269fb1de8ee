// The reference: Swagger UI over /openapi.json, with the accounts of the demo data to authorize with.

const dark = matchMedia("(prefers-color-scheme: dark)");
const followColorScheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
followColorScheme();
dark.addEventListener("change", followColorScheme);

const status = document.querySelector("#status");
const response = await fetch("/openapi.json");
const reference = await response.json();
if (response.ok) showReference();
else status.textContent = reference.error;

function showReference() {
  const ui = SwaggerUIBundle({
    spec: reference,
    dom_id: "#reference",
    deepLinking: true,
    defaultModelsExpandDepth: -1,
    docExpansion: "none",
    filter: true,
    persistAuthorization: true,
    plugins: [resolveHere],
    tryItOutEnabled: true,
    validatorUrl: null,
  });
  for (const button of document.querySelectorAll("[data-email]")) {
    button.addEventListener("click", () => authorize(ui, button.dataset.email));
  }
}

async function authorize(ui, email) {
  status.textContent = "Signing in ...";
  const signedIn = await fetch("/docs/token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email }),
  });
  const { token, error } = await signedIn.json();
  if (signedIn.ok) ui.preauthorizeApiKey("bearer", token);
  status.textContent = signedIn.ok ? `Authorized as ${email} for an hour.` : error;
}

/** Swagger UI's own resolver blocks the page for seconds while it parses the whole document; ours has only local references. */
function resolveHere() {
  const requestResolvedSubtree = (_original, system) => (path) => {
    const subtree = resolved(path.reduce((node, key) => node?.[key], reference));
    return system.specActions.updateResolvedSubtree(path, subtree);
  };
  return { statePlugins: { spec: { wrapActions: { requestResolvedSubtree } } } };
}

/** A part of the document in which every reference is replaced by what it refers to. */
function resolved(node) {
  if (Array.isArray(node)) return node.map(resolved);
  if (typeof node !== "object" || node === null) return node;
  if (node.$ref === undefined)
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolved(value)]));
  const [, ...path] = node.$ref.split("/");
  return { $$ref: node.$ref, ...resolved(path.reduce((parent, key) => parent[key], reference)) };
}
