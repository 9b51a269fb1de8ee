import * as z from "zod";

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** One plain ASCII address: no display name, list, comment or quotes. */
const ADDRESS = new RegExp(`^(?=.{1,254}$)(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+[a-z]${LABEL}$`, "i");

/** An address that mail can be sent to, as the caller wrote it. */
export const MailAddress = z
  .string()
  .regex(ADDRESS, "must be one plain e-mail address")
  .meta({ maxLength: 254, description: "One plain address, without a display name." });
