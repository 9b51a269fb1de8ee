import * as z from "zod";
import { type Arguments, call } from "#database/call";
import type { Tx } from "#database/database";

const HEX = "[0-9a-fA-F]";

/** The id of a new thing, if its client chooses one, in lower case. */
export const ChosenId = z
  .string()
  .regex(
    new RegExp(`^${HEX}{8}-${HEX}{4}-[47]${HEX}{3}-[89abAB]${HEX}{3}-${HEX}{12}$`),
    "must be a UUID of version 4 or 7",
  )
  .toLowerCase()
  .optional()
  .meta({
    format: "uuid",
    description:
      "An id of your choice, a UUID of version 4 or 7. If you created it with this id before, it is returned as it is with 200, and nothing is written.",
  });

/** How a thing is created, and read if the caller has it already. */
interface Creation<Thing> {
  readonly read: (id: string) => Promise<Thing>;
  readonly create: () => Promise<Thing>;
}

/**
 * Creates a thing, or reads the one that the caller has under the chosen id. The id is judged before the rest of the
 * request, so that a creation that is sent again has the same response whatever was deleted meanwhile, such as its goal.
 * @param existed called if the caller has it
 * @throws AppError 409 if something else has or had the id
 */
export async function createOnce<Thing>(
  tx: Tx,
  { id, ...thing }: Omit<Arguments<"claim_id">, "id"> & { readonly id: string | undefined },
  existed: () => void,
  { read, create }: Creation<Thing>,
): Promise<Thing> {
  if (id === undefined || !(await call(tx, "claim_id", { ...thing, id }))) return create();
  existed();
  return read(id);
}
