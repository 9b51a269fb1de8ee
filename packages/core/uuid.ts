import { z } from "zod";

/** A UUID of any version, brought to lower case. */
export const Uuid = z.guid("must be a UUID").toLowerCase();
