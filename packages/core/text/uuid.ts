import * as z from "zod";

/** A UUID of any version, converted to lower case. */
export const Uuid = z.guid("must be a UUID").toLowerCase();
