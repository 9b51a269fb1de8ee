import { expect, it, vi } from "vitest";
import { sqsQueue } from "#providers/queue";

const loaded = vi.hoisted(() => vi.fn());
vi.mock("@aws-sdk/client-sqs", (original) => {
  loaded();
  return original();
});

it("the SDK is loaded when the queue is created, so that the first wake does not wait for it", async () => {
  sqsQueue("https://sqs.eu-central-1.amazonaws.com/1/tasks");
  await expect.poll(() => loaded).toHaveBeenCalled();
});
