import fc from "fast-check";

/** One of the two boards, by its name. */
export const boardName = fc.constantFrom("yard", "vault");
