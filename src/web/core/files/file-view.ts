import { addressOf } from "../screen/router.ts";

/** How a file is looked at. */
export type View = "read" | "changes" | "source";

/** What of a file the address says is shown. */
export interface FileView {
  readonly view: View;
  /** The version that is shown. Null is the newest. */
  readonly version: number | null;
  /** The version that it is compared with. Null is chosen by the page. */
  readonly from: number | null;
  /** Whether the versions stand beside it. Null leaves that to the width of the window. */
  readonly versions: boolean | null;
}

/** Reads what is shown of a file from an address: `?v=3`, `?v=3..4`, `?view=source`, `?versions=on`. */
export function viewIn(query: URLSearchParams): FileView {
  const [, first, second] = /^(\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(query.get("v") ?? "") ?? [];
  const given = query.get("view");
  const versions = query.get("versions");
  return {
    view: second || given === "changes" ? "changes" : given === "source" ? "source" : "read",
    version: first ? Number(second ?? first) : null,
    from: second ? Number(first) : null,
    versions: versions === null ? null : versions === "on",
  };
}

/** The address of a file, looked at in a certain way. */
export function fileAddress(
  board: string,
  file: string,
  { view = "read", version = null, from = null, versions = null }: Partial<FileView> = {},
): string {
  const query = new URLSearchParams();
  if (view === "changes" && from !== null && version !== null)
    query.set("v", `${from}..${version}`);
  else if (version !== null) query.set("v", String(version));
  if (view === "source" || (view === "changes" && !query.get("v")?.includes("..")))
    query.set("view", view);
  if (versions !== null) query.set("versions", versions ? "on" : "off");
  const words = query.toString();
  return addressOf(board, "files", file) + (words && `?${words}`);
}
