import { lambdaHandler } from "#lambda/lambda-handler";
import { workoutWindowApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = lambdaHandler(workoutWindowApp);
