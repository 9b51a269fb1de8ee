import { lambdaHandler } from "#lambda/lambda-handler";
import { picturesApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(picturesApp);
