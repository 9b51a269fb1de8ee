import { lambdaHandler } from "#lambda/lambda-handler";
import { usersApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(usersApp);
