import { lambdaHandler } from "#lambda/lambda-handler";
import { encouragementDropsApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(encouragementDropsApp);
