import { lambdaHandler } from "#lambda/lambda-handler";
import { dropsApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(dropsApp);
