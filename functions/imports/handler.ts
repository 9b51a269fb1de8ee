import { lambdaHandler } from "#lambda/lambda-handler";
import { importsApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(importsApp);
