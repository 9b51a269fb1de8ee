import { lambdaHandler } from "#lambda/lambda-handler";
import { userApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(userApp);
