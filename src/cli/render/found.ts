import type { Operations } from "../../contract/index.ts";
import type { Output } from "../../contract/operation.ts";
import { oneLine } from "../clean.ts";
import { bold, cyan, dim } from "../style.ts";
import { counted } from "../table.ts";
import { header, targetList } from "./message.ts";
import { when } from "./time.ts";

type Found = Output<Operations["searchBoard"]>;
type Hit = Found["hits"][number];

/** What a search found, each with the part of its text. `again` gives the command of this search with what is added. */
export function foundText(
  { board, hits, next, complete }: Found,
  again: (more: string) => string,
): string {
  return [
    hits.length
      ? header(board, counted(hits.length, "message", "messages"))
      : `Nothing like that on ${board}.`,
    ...hits.map(hitText),
    ...(next === null ? [] : [dim(`More: ${again(` --cursor ${next}`)}`)]),
    ...(complete ? [] : [dim(`Not everything could be searched yet: ${again("")}`)]),
  ].join("\n\n");
}

function hitText({ seq, from, to, at, thread_root_seq, excerpt }: Hit): string {
  const { parts, more_before, more_after } = excerpt;
  const text = parts
    .map(({ text, match }) => (match ? bold(oneLine(text)) : oneLine(text)))
    .join("");
  const about = [
    ...(thread_root_seq === null ? [] : [`in the thread of #${thread_root_seq}`]),
    when(at),
  ];
  return [
    `${bold(`#${seq}`)} ${cyan(`@${oneLine(from.name)}`)} → ${targetList(to)}${dim(` · ${about.join(" · ")}`)}`,
    `    ${more_before ? "… " : ""}${text.trim()}${more_after ? " …" : ""}`,
  ].join("\n");
}
