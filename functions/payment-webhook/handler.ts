import { lambdaHandler } from "@nectar/deploy/lambda-handler";
import { production } from "@nectar/http/production";
import { paymentWebhookApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(paymentWebhookApp(production()));
