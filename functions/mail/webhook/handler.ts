import { lambdaHandler } from "#lambda/lambda-handler";
import { emailWebhookApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(emailWebhookApp);
