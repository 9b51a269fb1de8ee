import { lambdaHandler } from "#lambda/lambda-handler";
import { organizationsApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(organizationsApp);
