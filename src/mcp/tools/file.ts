import { refuse } from "../../contract/refusal.ts";
import { putFile } from "../../contract/files.ts";
import { Version } from "../../contract/file-record.ts";
import { limit } from "../../contract/scalars.ts";
import { t, text } from "../../contract/schema.ts";
import { plainLine, plainText, textElement } from "../../agent-text/text-element.ts";
import type { Caller } from "../caller.ts";
import type { Told } from "../tool.ts";
import { boardOf, given } from "../common.ts";
import { counted } from "../texts.ts";
import { arg, toolOf } from "../tool.ts";

/** Longest text of a file that a tool gives or takes, in bytes. */
const longestText = 256 * 1024;

const { base, file_id, about, brief } = putFile.query!.properties;

/** The files of the board that are texts. */
export const file = toolOf(
  "file",
  "Text files of your board. put writes a version; a new version names its base.",
  {
    name: arg(text({ minLength: 1, maxLength: 200 }), "name, for get also id"),
    version: arg(Version, "default the latest"),
    text: arg(t.String({ maxLength: longestText })),
    base: arg(base, "version that put replaces"),
    file_id: arg(file_id),
    about: arg(about, "tasks"),
    brief: arg(brief, "it is the board's brief"),
    limit: arg(limit),
  },
  {
    list: {
      takes: ["limit"],
      async run(caller, query) {
        const params = { board: await boardOf(caller) };
        const list = await caller.call("listFiles", { params, query: given(query) });
        const rows = list.files.map(
          ({ name: called, latest }) =>
            `${plainLine(called)} v${latest.version} · ${latest.size} bytes · @${latest.by.name}`,
        );
        const head = `${list.board} · ${counted(rows.length, "file")}${list.more ? " and more" : ""}`;
        return { text: [head, ...rows].join("\n"), data: list };
      },
    },
    get: {
      needs: ["name"],
      takes: ["version"],
      run: async (caller, { name: called = "", version }) =>
        fileText(caller, await boardOf(caller), called, version),
    },
    put: {
      needs: ["name", "text"],
      takes: ["base", "file_id", "about", "brief"],
      async run(caller, { name: called = "", text: content = "", ...rest }) {
        const input = {
          params: { board: await boardOf(caller) },
          query: { name: called, ...given(rest) },
        };
        const put = await caller.upload(input, new TextEncoder().encode(content));
        return { text: `Wrote ${plainLine(put.name)} v${put.latest.version}.`, data: put };
      },
    },
  },
);

/** The text of a version of a file, the latest unless one is named. */
export async function fileText(
  caller: Caller,
  board: string,
  called: string,
  version?: number,
): Promise<Told> {
  const found = await caller.call("getFile", { params: { board, file: called } });
  const wanted = version ?? found.latest.version;
  const params = { board, file: found.id, version: String(wanted) };
  const bytes = await caller.download({ params }, longestText);
  const content = bytes && textIn(bytes);
  if (content === null) throw noText(called);
  const of = found.versions.find((one) => one.version === wanted) ?? found.latest;
  const data = { id: found.id, name: found.name, version: wanted, text: plainText(content) };
  return { text: textElement(`${found.name} v${wanted}`, of.by.name, content), data };
}

function textIn(bytes: Uint8Array): string | null {
  try {
    const content = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return content.includes("\0") ? null : content;
  } catch {
    return null;
  }
}

const noText = (called: string) =>
  refuse("invalid_combination", {
    problem: `${called} is no text of at most ${longestText} bytes, so a tool cannot show it; \`service file get\` in a shell fetches it`,
  });
