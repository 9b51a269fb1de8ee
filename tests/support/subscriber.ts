import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { QueueEvent, QueueResponse } from "#lambda/queue-handler";
import { invocationsBefore } from "./queue.ts";

/** The variable in which Lambda tells the SDK of the chain of invocations that this one belongs to. */
const TRACE = "_X_AMZN_TRACE_ID";

/**
 * Invokes a handler with the messages of a queue, one at a time, as Lambda does: a message that the handler neither reports
 * nor throws at is deleted, and any other one stays hidden until its visibility timeout. What the handler queues belongs to
 * the chain of its message.
 * @param isDone asked before each message
 */
export async function subscribe(
  queueUrl: string,
  handler: (event: QueueEvent) => Promise<QueueResponse>,
  isDone: () => boolean,
): Promise<void> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const sqs = new SQSClient({ endpoint: new URL(queueUrl).origin, region: "us-east-1", credentials });
  const receive = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    WaitTimeSeconds: 1,
    MessageSystemAttributeNames: ["AWSTraceHeader"],
  });
  process.env.AWS_LAMBDA_FUNCTION_NAME = "tasks";
  try {
    while (!isDone()) {
      const { Messages = [] } = await sqs.send(receive);
      for (const { MessageId: messageId = "", Body: body = "", ReceiptHandle, Attributes } of Messages) {
        const before = invocationsBefore(Attributes?.AWSTraceHeader ?? null);
        process.env[TRACE] = `Root=1-6561f0e1-0123456789abcdef01234567;Lineage=a87bd80c:${before + 1}`;
        const response = await handler({ Records: [{ messageId, body }] }).catch(() => null);
        if (response === null || response.batchItemFailures.length > 0) continue;
        await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
      }
    }
  } finally {
    delete process.env[TRACE];
    delete process.env.AWS_LAMBDA_FUNCTION_NAME;
    sqs.destroy();
  }
}
