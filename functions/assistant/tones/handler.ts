import { lambdaHandler } from "#lambda/lambda-handler";
import { aiApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(aiApp);
