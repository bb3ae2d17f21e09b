import { searchBoard } from "../../contract/search.ts";
import type { OutputOf } from "../../contract/index.ts";
import { plainLine } from "../../agent-text/text-element.ts";
import { boardOf, given } from "../common.ts";
import { call, counted } from "../texts.ts";
import { arg, tool } from "../tool.ts";

const { q, kind, from, task, cursor, limit } = searchBoard.query!.properties;

/** Searches the board. */
export const search = tool(
  "search",
  'Search messages, tasks and files of your board: every word must occur; "a phrase", prefix*.',
  {
    q: arg(q),
    kind: arg(kind),
    from: arg(from, "sender"),
    task: arg(task),
    cursor: arg(cursor),
    limit: arg(limit),
  },
  {
    needs: ["q"],
    async run(caller, { q: words = "", ...rest }) {
      const params = { board: await boardOf(caller) };
      const query = { q: words, ...given(rest) };
      const found = await caller.call("searchBoard", { params, query });
      const { board, hits, next } = found;
      const text = [
        `${board} · ${counted(hits.length, "hit")}`,
        ...hits.map(hitLine),
        ...(next === null ? [] : [`More: ${call("search", { ...query, cursor: next })}`]),
      ].join("\n");
      return { text, data: found };
    },
  },
);

type Hit = OutputOf<"searchBoard">["hits"][number];

function hitLine(hit: Hit): string {
  const { parts, more_before, more_after } = hit.excerpt;
  const excerpt = parts.map(({ text }) => text).join("");
  const shown = `“${more_before ? "…" : ""}${plainLine(excerpt)}${more_after ? "…" : ""}”`;
  if (hit.kind === "message") {
    const { name, origin } = hit.from;
    return `#${hit.seq} @${name}${origin === undefined ? "" : ` of ${plainLine(origin)}`} ${shown}`;
  }
  if (hit.kind === "task") return `${hit.ref} ${plainLine(hit.title)} · ${hit.state} ${shown}`;
  return `${plainLine(hit.name)} v${hit.latest.version} ${shown}`;
}
