import { lambdaHandler } from "#lambda/lambda-handler";
import { notificationsApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(notificationsApp);
