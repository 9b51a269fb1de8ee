import { lambdaHandler } from "@nectar/deploy/lambda-handler";
import { production } from "@nectar/http/production";
import { emailWebhookApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(emailWebhookApp(production()));
