import type { Actor } from "../acting/acting.ts";
import { usageError } from "../../client/machine/local-error.ts";
import type { PostBody } from "../messages/posting.ts";
import { isOneWord } from "./form.ts";
import { hinted, words } from "../frame/suggest.ts";

/** Refuses a member's name in place of the question: without its `@`, the ask would go to somebody else. */
export async function refuseBareName(
  { api }: Actor,
  board: string,
  { body, to, ask }: PostBody,
): Promise<void> {
  const options = ask?.options ?? [];
  if (to !== undefined || options.length === 0 || !isOneWord(body)) return;
  const { members } = await api.call("listMembers", { params: { board } });
  if (!members.some(({ name }) => name === body.toLowerCase())) return;
  throw usageError(
    `${body} is a member of board ${board}, but is written where the question belongs.`,
    `Write @${body.toLowerCase()} to ask them: ${hinted({ words: words`ask ${[`@${body.toLowerCase()}`, ...options]}` })}`,
  );
}
