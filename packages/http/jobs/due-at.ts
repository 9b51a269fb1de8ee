/** The header in which a scheduler says which due time a request for a job is for: RFC 3339. */
export const DUE_AT_HEADER = "x-due-at";
