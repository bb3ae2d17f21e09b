import type { Actor } from "../acting/acting.ts";

/** The text of an ask's option, which an answer without a text repeats. */
export async function textOfOption(
  { api }: Pick<Actor, "api">,
  id: string,
  option: number,
): Promise<string> {
  const { ask } = (await api.call("getMessage", { params: { message: id } })).message;
  // If this is no ask or has no such option, the server refuses the answer and says why.
  return ask?.options[option - 1] ?? `Option ${option}.`;
}
