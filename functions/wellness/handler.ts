import { lambdaHandler } from "#lambda/lambda-handler";
import { wellnessEntriesApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(wellnessEntriesApp);
