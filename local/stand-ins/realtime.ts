import { createSecretKey } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import { errors, jwtVerify } from "jose";
import { type WebSocket, WebSocketServer } from "ws";
import * as z from "zod";
import { parsedJson } from "#core/text/json";
import type { SupabaseKeys } from "../settings/supabase.ts";
import { type Changes, Claims, Refusal, readChanges, Wanted } from "./realtime-changes.ts";

/** A message of Phoenix channels, version 2.0.0: reference of the join, reference, topic, event, payload. */
const Message = z.tuple([z.string().nullable(), z.string().nullable(), z.string(), z.string(), z.unknown()]);
/** A token; empty if there is none, or only the key of the project. */
const Token = z.object({
  access_token: z
    .string()
    .nullish()
    .transform((token) => token?.replace(/^sb_.*/, "") ?? ""),
});
const Join = Token.extend({
  config: z.object({
    postgres_changes: z.array(Wanted).default([]),
    postgres_changes_options: z.object({ wait: z.boolean() }).default({ wait: false }),
  }),
});

interface Channel {
  readonly joinRef: string | null;
  readonly topic: string;
  readonly wanted: readonly (z.infer<typeof Wanted> & { readonly id: number })[];
  readonly ends: (() => void)[];
  expiry?: NodeJS.Timeout;
}

/** A timer cannot wait for longer than 24 days; no channel of an app lasts that long. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Serves Supabase Realtime at its path of a server: changes of the tables of the publication `supabase_realtime`, for those
 * who see the row by its policies. It has neither broadcast nor presence.
 * @param databaseUrl a superuser's address
 */
export async function serveRealtime(server: Server, databaseUrl: string, keys: SupabaseKeys) {
  const changes = await readChanges(databaseUrl);
  const sockets = new WebSocketServer({
    server,
    path: "/realtime/v1/websocket",
    verifyClient: ({ req }: { req: IncomingMessage }) => {
      const { searchParams } = new URL(req.url ?? "", "http://localhost");
      return searchParams.get("vsn") === "2.0.0" && searchParams.get("apikey") === keys.publishableKey;
    },
  });
  sockets.on("connection", (socket) => {
    const receive = channelsOf(socket, changes, keys.jwtSecret);
    // In their order: a client sends its token again as soon as it has joined.
    let last = Promise.resolve();
    socket.on("message", (data) => {
      last = last.then(() => receive(Message.parse(parsedJson(String(data))))).catch(() => socket.close(1_011));
    });
  });
  return {
    async stop(): Promise<void> {
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      await changes.stop();
    },
  };
}

/** The channels of a connection. @returns what handles a message of the client */
function channelsOf(socket: WebSocket, changes: Changes, jwtSecret: string) {
  const channels = new Map<string, Channel>();
  let lastId = 0;
  const send = (...message: z.infer<typeof Message>) => socket.send(JSON.stringify(message));

  function tell({ joinRef, topic }: Channel, extension: string, status: string, text: string): void {
    const message = text.replace(/^\w+: /, "");
    send(joinRef, null, topic, "system", { extension, status, message, channel: topic.replace("realtime:", "") });
  }

  function end(channel: Channel): void {
    clearTimeout(channel.expiry);
    for (const endSubscription of channel.ends.splice(0)) endSubscription();
    if (channels.get(channel.topic) === channel) channels.delete(channel.topic);
  }
  socket.on("close", () => {
    for (const channel of channels.values()) end(channel);
  });

  function close(channel: Channel, problem = ""): void {
    if (problem !== "") tell(channel, "system", "error", problem);
    end(channel);
    send(channel.joinRef, channel.joinRef, channel.topic, "phx_close", {});
  }

  async function subscribe(channel: Channel, claims: z.infer<typeof Claims>): Promise<void> {
    clearTimeout(channel.expiry);
    const leftMs = Math.min(claims.exp * 1_000 - Date.now(), MAX_TIMER_MS);
    channel.expiry = setTimeout(() => close(channel, expiredFor(claims.exp)), leftMs);
    for (const endEarlier of channel.ends.splice(0)) endEarlier();
    for (const wanted of channel.wanted) {
      const pass = (data: object) => send(null, null, channel.topic, "postgres_changes", { ids: [wanted.id], data });
      channel.ends.push(await changes.subscribe({ wanted, claims, send: pass }));
    }
    if (channel.wanted.length > 0) tell(channel, "postgres_changes", "ok", "Subscribed to PostgreSQL");
    // The token or the connection may have ended while the database was asked.
    if (channels.get(channel.topic) !== channel) end(channel);
  }

  async function join(joinRef: string | null, topic: string, payload: unknown, accept: (response: object) => void) {
    const { config, access_token } = Join.parse(payload);
    const claims = await verify(access_token, jwtSecret);
    const wanted = config.postgres_changes.map((one) => ({ ...one, id: ++lastId }));
    const channel: Channel = { joinRef, topic, wanted, ends: [] };
    channels.set(topic, channel);
    const { wait } = config.postgres_changes_options;
    if (!wait) accept({ postgres_changes: wanted });
    await subscribe(channel, claims).catch((error) => {
      if (wait) end(channel);
      if (wait || !(error instanceof Refusal)) throw error;
      tell(channel, "postgres_changes", "error", error.message);
    });
    if (wait) accept({ postgres_changes: wanted });
  }

  return async ([joinRef, ref, topic, event, payload]: z.infer<typeof Message>): Promise<void> => {
    const reply = (status: string, response: object) => send(joinRef, ref, topic, "phx_reply", { status, response });
    const channel = channels.get(topic);
    if (topic === "phoenix") reply("ok", {});
    else if (event === "phx_join" && topic.startsWith("realtime:")) {
      await join(joinRef, topic, payload, (response) => reply("ok", response)).catch((error) =>
        reply("error", { reason: reasonOf(error) }),
      );
    } else if (channel === undefined) reply("error", { reason: "unmatched topic" });
    else if (event === "access_token") {
      const { access_token } = Token.parse(payload);
      const renewal =
        access_token === "" ? null : verify(access_token, jwtSecret).then((claims) => subscribe(channel, claims));
      await renewal?.catch((error) => close(channel, reasonOf(error)));
    } else if (event === "phx_leave") {
      reply("ok", {});
      close(channel);
    }
  };
}

/** The claims of a token of Auth; with the key of the project alone, a client has the role `anon`. */
async function verify(token: string, jwtSecret: string): Promise<z.infer<typeof Claims>> {
  if (token === "") return { role: "anon", exp: Number.MAX_SAFE_INTEGER };
  const secret = createSecretKey(jwtSecret, "utf8");
  const { payload } = await jwtVerify(token, secret, { algorithms: ["HS256"] }).catch((error) => {
    if (error instanceof errors.JWTExpired) throw new Refusal(`InvalidJWTToken: ${expiredFor(error.payload.exp)}`);
    throw new Refusal("JwtSignatureError: Failed to validate JWT signature");
  });
  const claims = Claims.safeParse(payload);
  if (!claims.success) throw new Refusal("InvalidJWTToken: Fields `role` and `exp` are required in JWT");
  return claims.data;
}

function expiredFor(exp = 0): string {
  return `Token has expired ${Math.max(0, Math.floor(Date.now() / 1_000 - exp))} seconds ago`;
}

function reasonOf(error: unknown): string {
  return error instanceof Refusal ? error.message : "Unknown Error on Channel";
}
