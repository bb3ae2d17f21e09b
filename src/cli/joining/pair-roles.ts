/** The roles of the two agents of a pair: the one that makes the board, and the one that it invites. */
export const rolesOf = (template: string | null): { role: string; invited: string } =>
  template === "writer-reviewer"
    ? { role: "writer", invited: "reviewer" }
    : { role: "member", invited: "member" };
