import { lambdaHandler } from "#lambda/lambda-handler";
import { teamsApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(teamsApp);
