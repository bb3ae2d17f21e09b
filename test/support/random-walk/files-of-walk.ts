import type { Client } from "../../../src/client/client.ts";
import { ApiError } from "../../../src/client/client.ts";

/** The names that a walk gives to files. */
export const fileNames = ["a.md", "b/c.md", "brief.md", "brief.html"];

/** What a walk's ask for an approval cites: one version, or an older one besides. */
export const citedFiles = (what: number) => {
  const file = fileNames[what % fileNames.length]!;
  return what % 2 ? [{ file }] : [{ file }, { file, version: 1 }];
};

const isBrief = (name: string) => name.startsWith("brief.");

/** Does something with a file of a board: its numbers say what, and with which. A refusal is part of a walk. */
export async function moveFile(by: Client, board: string, what: number, how: number) {
  const name = fileNames[what % fileNames.length]!;
  const params = { board, file: name };
  const { status, data } = await by.send("getFile", { params });
  const file = status === 200 && "latest" in data ? data : null;
  // The walk chooses the board by what is left of eight.
  switch ((how >> 3) % 8) {
    case 0:
      return by.send("removeFile", { params });
    case 1:
      return by.send("updateFile", { params, body: { name: `moved-${what % 3}.md` } });
    case 2:
      return by.send("updateFile", { params, body: { maintained: what % 2 === 0, about: ["1"] } });
    case 3:
      return by.send("approveFile", { params, body: { version: 1 + (what % 2) } });
    case 4:
      return by.send("removeFileApproval", { params });
    default:
      return put(by, board, name, file && { base: file.latest.version, file_id: file.id });
  }
}

async function put(
  by: Client,
  board: string,
  name: string,
  replaces: { base: number; file_id: string } | null,
) {
  const brief = isBrief(name) ? { brief: true, replace_format: true } : {};
  const query = {
    name,
    ...brief,
    ...(replaces ?? (isBrief(name) ? await switched(by, board) : {})),
  };
  try {
    await by.upload({ params: { board }, query }, new Blob([`${name} ${Math.random()}`]));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** What a brief that is not there in this format replaces. */
async function switched(by: Client, board: string) {
  const { data } = await by.send("getBoard", { params: { board } });
  const there = "brief" in data ? data.brief : null;
  return there ? { base: there.version, file_id: there.file_id } : {};
}
