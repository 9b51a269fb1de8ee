import { lambdaHandler } from "#lambda/lambda-handler";
import { tonePacksApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(tonePacksApp);
