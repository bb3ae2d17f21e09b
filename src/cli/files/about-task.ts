import { mostListed } from "../../contract/limits.ts";
import type { Api } from "../connection/api.ts";
import type { BoardFile } from "./file-text.ts";

/** The files about a task, as many as a list holds. None on a server that has no files. */
export async function filesAbout(api: Api, board: string, task: string): Promise<BoardFile[]> {
  const { features } = await api.info();
  if (!features.includes("files")) return [];
  return (await api.call("listFiles", { params: { board }, query: { task, limit: mostListed } }))
    .files;
}
