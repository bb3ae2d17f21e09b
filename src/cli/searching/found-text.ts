import type { OutputOf } from "../../contract/index.ts";
import { oneLine } from "../terminal/clean.ts";
import { bold, cyan, dim } from "../terminal/style.ts";
import { counted } from "../terminal/table.ts";
import { header, targetList } from "../messages/message-text.ts";
import { states } from "../tasks/task-text.ts";
import { when } from "../terminal/time-text.ts";

type Found = OutputOf<"searchBoard">;
type Hit = Found["hits"][number];
type HitOf<K extends Hit["kind"]> = Extract<Hit, { kind: K }>;

/** What a search found, each with the part of its text. `again` gives the command of this search with what is added. */
export function foundText(
  { board, hits, next, complete }: Found,
  again: (more: string) => string,
): string {
  return [
    hits.length
      ? header(board, ...countsOf(hits))
      : `Nothing like that on ${board}. Whole words are looked for: \`hel*\` finds every word that begins so.`,
    ...hits.map(hitText),
    ...(next === null ? [] : [dim(`More: ${again(` --cursor ${next}`)}`)]),
    ...(complete ? [] : [dim(`Not everything could be searched yet: ${again("")}`)]),
  ].join("\n\n");
}

const nouns = [
  ["task", "tasks"],
  ["file", "files"],
  ["message", "messages"],
] as const;

const countsOf = (hits: readonly Hit[]): string[] =>
  nouns.flatMap(([kind, several]) => {
    const count = hits.filter((hit) => hit.kind === kind).length;
    return count ? [counted(count, kind, several)] : [];
  });

function hitText(hit: Hit): string {
  switch (hit.kind) {
    case "task":
      return taskText(hit);
    case "file":
      return fileText(hit);
    default:
      return messageText(hit);
  }
}

function messageText({ seq, from, to, at, thread_root_seq, excerpt }: HitOf<"message">): string {
  const about = [
    ...(from.origin === undefined ? [] : [`of ${oneLine(from.origin)}`]),
    ...(thread_root_seq === null ? [] : [`in the thread of #${thread_root_seq}`]),
    when(at),
  ];
  return [
    `${bold(`#${seq}`)} ${cyan(`@${oneLine(from.name)}`)} → ${targetList(to)}${dim(` · ${about.join(" · ")}`)}`,
    `    ${excerptText(excerpt)}`,
  ].join("\n");
}

/** Where in a task something was found that its first line does not show. */
const parts = { about: "About", stands: "Where it stands", closed_note: "Closed" };

function taskText({ ref, title, state, owner, at, found_in, excerpt }: HitOf<"task">): string {
  const named = found_in === "title" ? excerptText(excerpt) : oneLine(title);
  const about = [...(owner ? [cyan(`@${oneLine(owner.name)}`)] : []), dim(when(at))];
  const line = [`${bold(ref)} ${named}`, states[state], ...about].join(dim(" · "));
  if (found_in === "title" || found_in === "ref") return line;
  return [line, `    ${dim(`${parts[found_in]}:`)} ${excerptText(excerpt)}`].join("\n");
}

function fileText({ at, latest, maintained, excerpt }: HitOf<"file">): string {
  const parts = [
    `${excerptText(excerpt)} ${bold(`v${latest.version}`)}`,
    ...(maintained ? ["maintained"] : []),
    cyan(`@${oneLine(latest.by.name)}`),
    dim(when(at)),
  ];
  return parts.join(dim(" · "));
}

function excerptText({ parts, more_before, more_after }: Hit["excerpt"]): string {
  const text = parts
    .map(({ text, match }) => (match ? bold(oneLine(text)) : oneLine(text)))
    .join("");
  return `${more_before ? "… " : ""}${text.trim()}${more_after ? " …" : ""}`;
}
