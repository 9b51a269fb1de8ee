import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { listenLocally } from "@nectar/local/listen";

/** How a store fails at an upload. */
export type Failure = "answers 500" | "hangs up" | "never answers";

/** What stands before a store and lets requests through, but for the uploads that are to fail. */
export interface UnsteadyFront {
  /** Lets so many of the next uploads fail. */
  failNext(count: number, how: Failure): void;
  /** How many of them did not come yet. */
  failuresLeft(): number;
  /** Holds the next upload until `release` is called; resolves when it has come. */
  holdNext(): { readonly come: Promise<void>; release(): void };
  stop(): Promise<void>;
}

/** Starts a front on a port of 127.0.0.1 for the store at an address. */
export async function startUnsteadyFront(port: number, store: string): Promise<UnsteadyFront> {
  let left = 0;
  let how: Failure = "answers 500";
  let held: { readonly come: PromiseWithResolvers<void>; readonly go: PromiseWithResolvers<void> } | undefined;
  const server = createServer((incoming, outgoing) => {
    if (left > 0 && incoming.method === "POST") {
      left -= 1;
      if (how === "answers 500") outgoing.writeHead(500, { connection: "close" }).end("{}");
      if (how === "hangs up") incoming.socket.destroy();
      return;
    }
    if (held !== undefined && incoming.method === "POST") {
      const { come, go } = held;
      held = undefined;
      come.resolve();
      void go.promise.then(() => forward(incoming, outgoing));
      return;
    }
    forward(incoming, outgoing);
  });
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, headers } = incoming;
    const onward = request(`${store}${incoming.url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once("error", () => outgoing.destroy());
    incoming.pipe(onward);
  };
  const listening = await listenLocally(server, port, "The front of the store");
  return {
    failNext(count, failure) {
      [left, how] = [count, failure];
    },
    failuresLeft: () => left,
    holdNext() {
      const { come, go } = { come: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() };
      held = { come, go };
      return { come: come.promise, release: go.resolve };
    },
    stop() {
      const stopped = listening.stop();
      // Requests that never get an answer would keep the server waiting.
      listening.kill();
      return stopped;
    },
  };
}
