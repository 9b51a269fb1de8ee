import * as z from "zod";
import { LENGTHS } from "../lengths.generated.ts";

const { max: maxLength } = LENGTHS["private.email_messages"].recipient;
const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/** One plain ASCII address: no display name, list, comment or quotes. */
const ADDRESS = new RegExp(
  `^(?=.{1,${maxLength}}$)(?=[^@]{1,64}@)${ATOM}(?:\\.${ATOM})*@(?:${LABEL}\\.)+[a-z]${LABEL}$`,
  "i",
);

/** An address that mail can be sent to, as the caller wrote it. */
export const MailAddress = z
  .string()
  .regex(ADDRESS, "must be one plain e-mail address")
  .meta({ maxLength, description: "One plain address, without a display name." });
