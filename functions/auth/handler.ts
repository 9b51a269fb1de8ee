import { production } from "@nectar/http/production";
import { handle } from "hono/aws-lambda";
import { authApp } from "./app.ts";

/** Entry point of the deployed function. */
export const handler = handle(authApp(production()));
