import { lambdaHandler } from "#lambda/lambda-handler";
import { accountApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(accountApp);
