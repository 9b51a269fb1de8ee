export const READER_ERRORS = ["organization.not_a_reader", "organization.not_found"] as const;
/** Errors of what only the owner may do. */
export const OWNER_ERRORS = [...READER_ERRORS, "organization.not_the_owner"] as const;
