import { lambdaHandler } from "#lambda/lambda-handler";
import { paymentWebhookApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(paymentWebhookApp);
