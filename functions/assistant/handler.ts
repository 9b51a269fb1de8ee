import { lambdaHandler } from "#lambda/lambda-handler";
import { chatApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(chatApp);
