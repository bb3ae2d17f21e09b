import type { Static } from "@sinclair/typebox";
import type { Policy as PolicySchema } from "../../contract/boards.ts";
import type { BoardRow } from "../../db/boards.ts";

export type Policy = Static<typeof PolicySchema>;

/** Policies by their texts. A server has few: nobody writes their own, but for choices from short lists. */
const parsed = new Map<string, Policy>();
const mostParsed = 1000;

/** A board's policy now. Boards with equal policies share it, so nobody may change it. */
export function policyOf({ policy: text }: BoardRow): Policy {
  const known = parsed.get(text);
  if (known) return known;
  if (parsed.size >= mostParsed) parsed.clear();
  const policy = JSON.parse(text) as Policy;
  Object.freeze(policy.overrides);
  parsed.set(text, Object.freeze(policy));
  return policy;
}
