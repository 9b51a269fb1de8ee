import { allErrorCodes, carriesRetryAfter, mayCarryIssues, sentenceOf, statusOf } from "#core/errors";
import { GROUPS, type GroupName } from "#functions/groups";
import type { GroupApp } from "#http/endpoint/group-app";
import { ErrorBody } from "#http/response/error-response";
import packageJson from "../../package.json" with { type: "json" };
import { components, operationOf, type QuotaLimits } from "./document.ts";
import { jsonSchema } from "./named-schemas.ts";

const SIGN_IN = `\`\`\`
curl "$SUPABASE_URL/auth/v1/token?grant_type=password" -H "apikey: $PUBLISHABLE_KEY" \\
  -H "Content-Type: application/json" -d '{"email": "demo@nectar.local", "password": "nectar-demo"}'
{"access_token": "eyJ...", "expires_in": 3600, "refresh_token": "...", ...}
\`\`\``;

/** Builds the OpenAPI document from the definitions of all endpoints. */
export function buildReference(apps: readonly { name: GroupName; app: GroupApp }[], limits: QuotaLimits): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { name, app } of apps) {
    for (const endpoint of app.endpoints) {
      const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, name, limits) };
    }
  }
  jsonSchema(ErrorBody, "output");
  return {
    openapi: "3.1.0",
    info: {
      title: "Nectar",
      version: packageJson.version,
      description: `Journaling, accountability and encouragement. Users sign up and sign in with Supabase Auth, at the address and with the publishable key of the service's project, and send the access token as a bearer token:\n\n${SIGN_IN}\n\nTo sign up, send \`{"email", "password", "data": {"full_name"}}\` to \`/auth/v1/signup\`. A token lasts for an hour; \`grant_type=refresh_token\` with the \`refresh_token\` of the response makes the next one. Supabase's libraries do all this.\n\nPrograms send a personal token (\`POST /api/user/tokens\`) to the operations whose \`x-scope\`, or one of whose \`x-scopes\`, it has. Every POST by a signed-in user takes an optional \`Idempotency-Key\` header.\n\nA response to a write may carry \`x-nectar-position\`. Send the greatest one of the last minute with your reads, or an empty one: they may then be served by a replica of the database, which has that write. Without the header, nothing that you read is old.\n\nFields are in snake_case. The workout game (\`/api/workout-window\`) speaks camelCase because its clients do, and so do tone analysis and payment.\n\n${errorTable()}`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    tags: GROUPS.map(({ name, about }) => ({ name, description: about })),
    paths,
    components: {
      ...components(),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        cron: { type: "apiKey", in: "header", name: "x-cron-secret" },
      },
    },
  };
}

/** Every error code with its status and sentence, for people who read the reference. */
function errorTable(): string {
  const rows = allErrorCodes().map((code) => {
    const carries = `${mayCarryIssues(code) ? " (`issues`)" : ""}${carriesRetryAfter(code) ? " (`Retry-After`)" : ""}`;
    return `| ${statusOf(code)} | \`${code}\` | ${sentenceOf(code)}${carries} |`;
  });
  return `Every error is \`{error, code, issues?}\`; a code always comes with the same status. The sentence may change.\n\n<details><summary>All error codes</summary>\n\n| Status | Code | Meaning |\n|---|---|---|\n${rows.join("\n")}\n\n</details>`;
}
