import type { Telemetry } from "#http/telemetry/telemetry";

/** An event with messages of a queue, as Lambda delivers it. */
export interface QueueEvent {
  readonly Records: readonly { readonly messageId: string; readonly body: string }[];
}

/** The messages that were not finished; they are delivered again later. */
export interface QueueResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/**
 * The entry point of a function that subscribes to a queue.
 * @param work does what one message says, and throws if it could not be finished
 * @param telemetry sends its spans before Lambda freezes the function
 */
export function queueHandler(work: (body: string) => Promise<unknown>, telemetry: Telemetry | null = null) {
  return async ({ Records }: QueueEvent): Promise<QueueResponse> => {
    const results = await Promise.allSettled(Records.map(({ body }) => work(body)));
    await telemetry?.flush();
    return {
      batchItemFailures: Records.filter((_, index) => results[index]?.status === "rejected").map(({ messageId }) => ({
        itemIdentifier: messageId,
      })),
    };
  };
}
