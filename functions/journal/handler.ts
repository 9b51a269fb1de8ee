import { lambdaHandler } from "#lambda/lambda-handler";
import { journalApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(journalApp);
