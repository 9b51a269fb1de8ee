import { lambdaHandler } from "#lambda/lambda-handler";
import { paymentApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(paymentApp);
