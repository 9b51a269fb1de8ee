import { lambdaHandler } from "#lambda/lambda-handler";
import { healthApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(healthApp);
