import { seqOf } from "../../db/log/log-place.ts";
import type { Handler } from "../handler.ts";
import { fileCalled, versionCalled } from "./find-file.ts";

export const getFileVersion: Handler<"getFileVersion"> = (tx, { board }, { params }) => {
  const file = fileCalled(tx, board, params.file);
  const asked = params.version === "latest" ? file.latest : Number(params.version);
  const { place, sha256, size, media_type } = versionCalled(tx, board, file, asked);
  return { name: file.name, media_type, digest: `sha256:${sha256}`, size, seq: seqOf(place) };
};
