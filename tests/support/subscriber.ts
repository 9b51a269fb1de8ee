import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { QueueEvent, QueueResponse } from "@nectar/deploy/queue-handler";

/**
 * Invokes a handler with the messages of a queue, one at a time, as Lambda does: a message that the handler neither reports
 * nor throws at is deleted, and any other one stays hidden until its visibility timeout.
 * @param isDone asked before each message
 */
export async function subscribe(
  queueUrl: string,
  handler: (event: QueueEvent) => Promise<QueueResponse>,
  isDone: () => boolean,
): Promise<void> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const sqs = new SQSClient({ endpoint: new URL(queueUrl).origin, region: "us-east-1", credentials });
  while (!isDone()) {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: queueUrl, WaitTimeSeconds: 1 }));
    for (const { MessageId: messageId = "", Body: body = "", ReceiptHandle } of Messages) {
      const response = await handler({ Records: [{ messageId, body }] }).catch(() => null);
      if (response === null || response.batchItemFailures.length > 0) continue;
      await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }));
    }
  }
  sqs.destroy();
}
