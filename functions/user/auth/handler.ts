import { lambdaHandler } from "#lambda/lambda-handler";
import { authApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(authApp);
