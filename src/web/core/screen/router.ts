import { computed, signal } from "@preact/signals";

/** A place of the page, as its address says it. */
export type Place =
  | { readonly name: "home" }
  | { readonly name: "sign-in" }
  | { readonly name: "join" }
  | { readonly name: "account" }
  | {
      readonly name: "board";
      readonly board: string;
      readonly part: BoardPart;
      /** What is shown of the part: a message's number, a task's reference or a file's name. */
      readonly item: string | null;
    }
  | { readonly name: "nowhere" };

/** A place of a board. */
export type BoardPlace = Extract<Place, { name: "board" }>;

/** The parts of a board. `thread` is talk with a thread beside it, and `message` is talk around one message. */
export type BoardPart = "talk" | "message" | "thread" | "tasks" | "files" | "brief" | "people";

const address = signal(location.pathname);
const search = signal(location.search);

/** What stands after the `?` of the address: filters of what is shown. */
export const query = computed(() => new URLSearchParams(search.value));

/** The place that is shown. */
export const place = computed<Place>(() => placeAt(address.value));

const parts: Readonly<Record<string, BoardPart>> = {
  m: "message",
  t: "thread",
  tasks: "tasks",
  files: "files",
  brief: "brief",
  people: "people",
};

/** The place that an address means. */
export function placeAt(path: string): Place {
  if (path === "/") return { name: "home" };
  if (path === "/sign-in" || path === "/join" || path === "/account")
    return { name: path.slice(1) as "sign-in" };
  const [, board, part = "", item = ""] =
    /^\/b\/([^/]+)(?:\/([a-z]+)(?:\/([^/]+))?)?\/?$/.exec(path) ?? [];
  if (!board) return { name: "nowhere" };
  const shown = part === "" ? "talk" : parts[part];
  if (!shown) return { name: "nowhere" };
  return { name: "board", board: decoded(board), part: shown, item: item ? decoded(item) : null };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a part of a board, and of what is shown there. */
export function addressOf(
  board: string,
  part: BoardPart = "talk",
  item: string | number = "",
): string {
  const word = Object.entries(parts).find(([, name]) => name === part)?.[0];
  const path = [
    `/b/${encodeURIComponent(board)}`,
    word,
    item === "" ? undefined : encodeURIComponent(item),
  ];
  return path.filter((one) => one !== undefined).join("/");
}

function readAddress(): void {
  address.value = location.pathname;
  search.value = location.search;
}

/** Goes to an address of this page. `replace` leaves no step back to the present one. */
export function go(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, "", path);
  else history.pushState(null, "", path);
  readAddress();
}

/** Takes what stands after the `#` out of the address before anything else sees it. */
export function takeFragment(): string {
  const fragment = location.hash.slice(1);
  if (fragment) history.replaceState(null, "", location.pathname + location.search);
  return fragment;
}

/** Follows the links of this page without loading it anew. */
export function followLinks(): void {
  addEventListener("popstate", readAddress);
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest("a");
    if (!link || link.target || link.origin !== location.origin || link.hasAttribute("download"))
      return;
    if (placeAt(link.pathname).name === "nowhere") return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
