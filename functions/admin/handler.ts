import { lambdaHandler } from "#lambda/lambda-handler";
import { adminApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(adminApp);
