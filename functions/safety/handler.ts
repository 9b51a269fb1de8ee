import { lambdaHandler } from "#lambda/lambda-handler";
import { safetyApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(safetyApp);
