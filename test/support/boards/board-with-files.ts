import type { Client, Given } from "../../../src/client/client.ts";
import { startBoardWithTasks } from "./board-with-tasks.ts";
import { docs, eventsOf } from "./docs-board.ts";
import { verdictOf } from "../raw-requests.ts";

export { startBoardWithTasks };

type Query = NonNullable<Given<"putFile">["query"]>;

/** Writes a file on docs. Unless given, its text is its name, and the number of the version that it replaces. */
export const put = (
  by: Pick<Client, "upload">,
  name: string,
  more: Omit<Query, "name"> & { text?: string } = {},
) => {
  const { text = more.base ? `${name} ${more.base}` : name, ...query } = more;
  return by.upload({ ...docs, query: { name, ...query } }, new Blob([text]));
};
/** What a write comes to that is refused. */
export const refused = (...of: Parameters<typeof put>) => verdictOf(put(...of));

/** A file of docs, by name or id. */
export const file = (selector: string) => ({ params: { board: "docs", file: selector } });
/** A version of it. */
export const version = (selector: string, number: number | "latest" = "latest") => ({
  params: { board: "docs", file: selector, version: String(number) },
});

/** The text of a version. */
export const textOf = async (by: Client, selector: string, number?: number) =>
  new Response((await by.download(version(selector, number))).body).text();

/** The files' events in the log of docs, with their data but the id and what the bytes are. */
export const fileEvents = async (reader: Client) =>
  (await eventsOf(reader))
    .filter(({ type }) => type.startsWith("file."))
    .map(({ type, data = {} }) => {
      const { file_id: _id, digest: _digest, size: _size, media_type: _type, ...rest } = data;
      return [type, rest];
    });

/** Names of the files on the list of docs. */
export const listed = async (reader: Client, query: Given<"listFiles">["query"] = {}) =>
  (await reader.call("listFiles", { ...docs, query })).files.map(({ name }) => name);
