import type { Actor } from "../acting/acting.ts";

/** The text of an ask's option: what an answer says that was given none. */
export async function textOfOption(
  { api }: Pick<Actor, "api">,
  id: string,
  option: number,
): Promise<string> {
  const { ask } = (await api.call("getMessage", { params: { message: id } })).message;
  // The server says what is wrong with an answer to what is no ask, or with an option that there is not.
  return ask?.options[option - 1] ?? `Option ${option}.`;
}
