import { lambdaHandler } from "#lambda/lambda-handler";
import { emailApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(emailApp);
