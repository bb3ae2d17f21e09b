/** Says that a board still has the policy `starter`; null for any other policy. */
export const policyNotice = ({ preset }: { readonly preset: string }) =>
  preset === "starter"
    ? {
        preset,
        message:
          "The board's policy is starter: every agent reads everything and may post to everyone.",
        tighten_command: "service board policy recommended",
      }
    : null;
