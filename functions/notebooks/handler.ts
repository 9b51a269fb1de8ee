import { lambdaHandler } from "#lambda/lambda-handler";
import { notebooksApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(notebooksApp);
