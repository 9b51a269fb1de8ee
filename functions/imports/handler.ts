import { lambdaHandler } from "@nectar/deploy/lambda-handler";
import { importsApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(importsApp);
