import { mentionsIn } from "../../contract/mentions.ts";
import { nearest } from "../frame/nearest.ts";
import type { Message } from "./message-types.ts";

/** A name after an `@` that mentions nobody, and the member's name that is probably meant. */
export interface UnknownMention {
  readonly name: string;
  readonly nearest: string | null;
}

/**
 * The names in a message that look like mentions and mention nobody: nobody is woken by them. A name before a slash, such as
 * a package's, is left out. A name with capitals mentions nobody either, so it counts as well.
 */
export function unknownMentions(
  { body, mentions, from }: Pick<Message, "body" | "mentions" | "from">,
  members: readonly { readonly name: string }[],
): UnknownMention[] {
  const mentioned = new Set([...mentions.map(({ name }) => name), from.name]);
  const small = body.toLowerCase();
  const names = mentionsIn(small).flatMap(({ name }) =>
    name === null || mentioned.has(name) || small.includes(`@${name}/`) ? [] : [name],
  );
  const known = members.map(({ name }) => name);
  return [...new Set(names)].map((name) => ({ name, nearest: nearest(name, known) }));
}

/** The line about such names. */
export function unknownMentionsText(board: string, unknown: readonly UnknownMention[]): string {
  const names = unknown.map(({ name, nearest: meant }) => {
    if (meant === null) return `@${name}`;
    return meant === name ? `@${name} in capitals (write @${name})` : `@${name} (@${meant}?)`;
  });
  return `Nobody on ${board} is called ${names.join(", ")}: that mentions nobody.`;
}
