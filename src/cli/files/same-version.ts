import type { OutputOf } from "../../contract/index.ts";
import { digestOf } from "./local-file.ts";
import type { Place } from "../acting/place-of.ts";

/** The board's file of a name, if its newest version has the bytes of a file here. Any failure counts as no. */
export async function sameVersion(
  { api, board }: Place,
  name: string,
  path: string,
): Promise<OutputOf<"getFile"> | null> {
  try {
    const there = await api.call("getFile", { params: { board, file: name } });
    return there.latest.digest === (await digestOf(path)) ? there : null;
  } catch {
    return null;
  }
}
