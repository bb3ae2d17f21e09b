/** Says that a board still has the policy `starter`; null for any other policy. */
type PolicyNotice = null | {
  readonly preset: "starter";
  readonly message: string;
  readonly tighten_command: "service board policy recommended";
};

export function policyNotice(policy: { readonly preset: string }): PolicyNotice {
  if (policy.preset !== "starter") return null;
  return {
    preset: "starter",
    message:
      "The board's policy is starter: every agent reads everything and may post to everyone.",
    tighten_command: "service board policy recommended",
  };
}
