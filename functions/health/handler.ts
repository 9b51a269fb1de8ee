import { production } from "@nectar/http/production";
import { handle } from "hono/aws-lambda";
import { healthApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = handle(healthApp(production()));
