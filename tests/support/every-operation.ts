import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";
import { OPERATIONS } from "#client/operations.generated";
import { freePort } from "#local/support/ports";

/** The client and `callEveryOperation` in one script, for a platform. */
export async function everyOperationScript(options: BuildOptions): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("call-every-operation.ts", import.meta.url))],
    ...{ bundle: true, ...options, write: false },
  });
  return outputFiles[0]?.text ?? "";
}

/** The requests of `callEveryOperation`. */
export function expectedRequests(): string[] {
  const rows = Object.values(OPERATIONS).flatMap((operations) => Object.values(operations));
  const once = rows.map(({ method = "GET", path }) => `${method} ${path.replaceAll(/\{\w+\}/g, "x")}`);
  const photos = [
    ...["POST /api/workout-window/checkin/upload-url", "PUT /files/1", "POST /api/workout-window/checkin"],
    ...["POST /api/pictures/upload-url", "PUT /files/1", "POST /api/pictures"],
  ];
  return [...once, ...photos].toSorted();
}

/** A request as it arrived, its body with a character for each byte. */
interface Arrived {
  readonly request: string;
  readonly key: string | string[] | undefined;
  readonly body: string;
}

/** A server that takes every request, and has an empty page for browsers. */
export async function startEchoingServer(): Promise<{ url: string; arrived: Arrived[]; stop: () => void }> {
  const arrived: Arrived[] = [];
  const url = `http://127.0.0.1:${await freePort()}`;
  const upload = { uploadUrl: `${url}/files/1`, photoKey: "uploads/1", upload_url: `${url}/files/1`, picture_key: "1" };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("latin1")) body += chunk;
    const isPage = request.url === "/page";
    if (!isPage) {
      const [path] = request.url?.split("?") ?? [];
      arrived.push({ request: `${request.method} ${path}`, key: request.headers["idempotency-key"], body });
    }
    response.setHeader("content-type", isPage ? "text/html" : "application/json");
    response.end(isPage ? "<link rel=icon href=data:>" : JSON.stringify(upload));
  });
  await new Promise<void>((resolve) => server.listen(Number(new URL(url).port), "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url, arrived, stop };
}
