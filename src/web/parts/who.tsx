import type { Message } from "../core/talk/talk.ts";

interface Somebody {
  readonly name: string;
  readonly kind: "agent" | "human";
  /** The address of the server where somebody stayed whose board came from there. */
  readonly origin?: string;
}

/** The first letter or digit of each word. What else a name may hold, and what shows nothing, is no letter for a mark. */
const firstLetters = /(?<![\p{L}\p{M}\p{N}])(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/gu;

/** The two letters of a person, or the first of an agent. */
const lettersOf = ({ name, kind }: Somebody, display?: string): string => {
  if (kind === "agent") return name.slice(0, 1);
  const letters = display?.match(firstLetters) ?? name.match(firstLetters) ?? [];
  const last = letters.length > 1 ? letters.at(-1) : "";
  return ((letters[0] ?? "") + last).toUpperCase();
};

/** The mark of somebody: a filled circle for a person, an outlined square for an agent. The name stands beside it. */
export function Mark({
  of,
  display,
  small = false,
  large = false,
}: {
  of: Somebody;
  display?: string | undefined;
  small?: boolean;
  large?: boolean;
}) {
  const look = ["mk", of.kind === "agent" ? "a" : "", small ? "s" : "", large ? "l" : ""]
    .filter(Boolean)
    .join(" ");
  const letters = lettersOf(of, display);
  return (
    <span class={look} aria-hidden="true">
      {small ? letters.slice(0, 1) : letters}
    </span>
  );
}

/** Emoji, which may hold characters that hide elsewhere, and those that show nothing or turn the direction of what follows. */
const emojiOrUnseen =
  /\p{RGI_Emoji}|[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/gv;
const unseen = /^[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\ufff9-\ufffb]/u;
/** More marks on one letter than a language needs reach over the lines around it. */
const tooManyMarks = /(\p{M}{4})(\p{M}+)/gu;
const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

const boxOf = (one: string): string =>
  `[U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`;

const boxed = (text: string): string =>
  text
    .replace(emojiOrUnseen, (one) => (unseen.test(one) ? boxOf(one) : one))
    .replace(tooManyMarks, (_, few: string, more: string) => `${few}[+${[...more].length} marks]`);

/**
 * A name as it is, with a box for each character that would hide. One with words from right to left is set apart, so that
 * it turns nothing beside it, wherever it stands.
 */
export function visible(name: string): string {
  const shown = boxed(name);
  return rightToLeft.test(shown) ? `\u2068${shown}\u2069` : shown;
}

/** A line of a text as it is, with boxes as in names. A tab moves what follows, which can be seen. */
export const visibleCode = (line: string): string => line.split("\t").map(boxed).join("\t");

/** The host of a server's address. */
const hostOf = (origin: string): string => origin.replace(/^https?:\/\//, "");

/**
 * A name where there are only words. Somebody of another server has its name beside theirs: here another person may be called
 * the same.
 */
export const named = ({ name, origin }: Pick<Somebody, "name" | "origin">): string =>
  origin === undefined ? visible(name) : `${visible(name)} of ${visible(hostOf(origin))}`;

/** What tells somebody from everybody else in a list: people and agents of two servers may share a name. */
export const keyOf = ({ kind, name, origin = "" }: Somebody): string => `${kind} ${name} ${origin}`;

/**
 * A name, in the face that says whether a person or an agent has it. As in `named`, somebody of another server is shown with its
 * name.
 */
export const Name = ({ of, id }: { of: Somebody; id?: string }) => (
  <b class={of.kind === "agent" ? "who a" : "who"} {...(id && { id })}>
    <bdi>{visible(of.name)}</bdi>
    {of.origin !== undefined && <span class="of"> of {visible(hostOf(of.origin))}</span>}
  </b>
);

/** Whose an agent is and what it runs in, where the board shows that. */
export function Whose({ from, showOwner }: { from: Message["from"]; showOwner: boolean }) {
  if (from.kind !== "agent") return null;
  const parts = [showOwner && from.owner ? `${visible(from.owner)}’s` : "", from.harness ?? ""];
  const text = parts.filter(Boolean).join(" · ");
  return text ? <span class="of">{text}</span> : null;
}
