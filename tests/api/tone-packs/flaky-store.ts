import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { listenLocally } from "#local/support/listen";

/** How a store fails at an upload. */
export type Failure = "responds with 500" | "hangs up" | "never responds";

/** A proxy before a store that lets some uploads fail or wait. */
export interface FlakyStore {
  /** Lets a number of the next uploads fail. */
  failNext(count: number, how: Failure): void;
  /** How many of them have not arrived yet. */
  failuresLeft(): number;
  /** Delays the next upload until `release` is called. */
  delayNext(): { readonly arrived: Promise<void>; release(): void };
  stop(): Promise<void>;
}

/** Starts the proxy on a port of 127.0.0.1. @param store address of the store */
export async function startFlakyStore(port: number, store: string): Promise<FlakyStore> {
  let left = 0;
  let how: Failure = "responds with 500";
  let delayed: { readonly come: PromiseWithResolvers<void>; readonly go: PromiseWithResolvers<void> } | undefined;
  const server = createServer((incoming, outgoing) => {
    if (left > 0 && incoming.method === "POST") {
      left -= 1;
      if (how === "responds with 500") outgoing.writeHead(500, { connection: "close" }).end("{}");
      if (how === "hangs up") incoming.socket.destroy();
      return;
    }
    if (delayed !== undefined && incoming.method === "POST") {
      const { come, go } = delayed;
      delayed = undefined;
      come.resolve();
      void go.promise.then(() => forward(incoming, outgoing));
      return;
    }
    forward(incoming, outgoing);
  });
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, headers } = incoming;
    const onward = request(`${store}${incoming.url}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.once("error", () => outgoing.destroy());
    incoming.pipe(onward);
  };
  const listening = await listenLocally(server, port, "The proxy of the store");
  return {
    failNext(count, failure) {
      [left, how] = [count, failure];
    },
    failuresLeft: () => left,
    delayNext() {
      const { come, go } = { come: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() };
      delayed = { come, go };
      return { arrived: come.promise, release: go.resolve };
    },
    stop() {
      const stopped = listening.stop();
      // The server would wait for requests that never get a response.
      listening.kill();
      return stopped;
    },
  };
}
