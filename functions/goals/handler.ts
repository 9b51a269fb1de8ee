import { lambdaHandler } from "#lambda/lambda-handler";
import { goalsApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(goalsApp);
