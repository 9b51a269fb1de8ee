import type { Database } from "#database/database";
import type { Replicas } from "#database/replicas";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { AppContext } from "./context.ts";

/** Responds to a request inside a span. */
export function tracedRequest(
  telemetry: Telemetry,
  { req, requestId }: AppContext,
  route: string,
  respond: () => Promise<Response>,
): Promise<Response> {
  const plan = {
    name: `${req.method} ${route}`,
    kind: "server",
    attributes: { "http.request.method": req.method, "http.route": route, "nectar.request_id": requestId },
    traceparent: req.header("traceparent"),
  } as const;
  return telemetry.inSpan(plan, async (span) => {
    const response = await respond();
    span.set({ "http.response.status_code": response.status });
    if (response.status >= 500) span.fail(String(response.status));
    return response;
  });
}

/** A database whose transactions are spans. Statements are not recorded. */
export function tracedDatabase(telemetry: Telemetry, database: Database): Database {
  return {
    ...database,
    asUser: (userId, work, purpose = "write", program) =>
      telemetry.inSpan(transactionPlan("nectar_user", purpose), () => database.asUser(userId, work, purpose, program)),
    useToken: (hash) => telemetry.inSpan(transactionPlan("nectar_api", "write"), () => database.useToken(hash)),
    asService: (work) => telemetry.inSpan(transactionPlan("nectar_service", "write"), () => database.asService(work)),
  };
}

/** Replicas whose reads are spans; one that the primary had to serve is one span as well. */
export function tracedReplicas(telemetry: Telemetry, replicas: Replicas): Replicas {
  return {
    ...replicas,
    read: (read) => telemetry.inSpan(transactionPlan("nectar_user", read.purpose), () => replicas.read(read)),
  };
}

function transactionPlan(role: string, purpose: string) {
  return {
    name: `transaction ${role}`,
    kind: "client",
    attributes: { "db.system.name": "postgresql", "nectar.role": role, "nectar.purpose": purpose },
  } as const;
}

/** A provider some of whose methods are spans. @param methods those that call the vendor */
export function tracedProvider<Provider extends object>(
  telemetry: Telemetry,
  name: string,
  provider: Provider,
  methods: readonly (keyof Provider & string)[],
): Provider {
  const traced = methods.map((method) => {
    const call = provider[method];
    if (typeof call !== "function") throw new Error(`${name} has no method ${method}.`);
    const plan = {
      name: `${name} ${method}`,
      kind: "client",
      attributes: { "service.peer.name": name, "nectar.operation": method },
    } as const;
    return [
      method,
      (...parameters: unknown[]) => telemetry.inSpan(plan, async () => Reflect.apply(call, provider, parameters)),
    ] as const;
  });
  return { ...provider, ...Object.fromEntries(traced) };
}
