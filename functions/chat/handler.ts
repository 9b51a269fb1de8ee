import { lambdaHandler } from "@nectar/deploy/lambda-handler";
import { chatApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(chatApp);
