import { lambdaHandler } from "#lambda/lambda-handler";
import { changesApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(changesApp);
