import { workingOn } from "../../core/attention/at-work.ts";
import { boardOf, type Member } from "../../core/boards/board.ts";
import { api } from "../../core/connection/api.ts";
import type { OutputOf } from "../../../contract/index.ts";
import { fitOf } from "../../core/screen/fuzzy.ts";
import {
  activeBoards,
  archivedBoards,
  boardsToJoin,
  ownAgents,
} from "../../core/boards/overview.ts";
import { recents } from "../../core/screen/recents.ts";
import { addressOf } from "../../core/screen/router.ts";
import { ageOf } from "../../core/screen/time.ts";
import type { IconName } from "../icon.tsx";
import { named, visible } from "../who.tsx";

type Hit = OutputOf<"searchBoard">["hits"][number];

/** A part of a line; `isFound` says that it was looked for. */
export interface Piece {
  readonly text: string;
  readonly isFound: boolean;
}

/** One line of the palette, and where it leads or what it does. */
export interface Find {
  readonly id: string;
  readonly icon: IconName | null;
  /** Who it is from, instead of an icon. */
  readonly who?: Pick<Member, "name" | "kind">;
  /** A reference or file name before the text. */
  readonly mono?: string;
  readonly pieces: readonly Piece[];
  readonly end?: string;
  readonly keyName?: string;
  readonly sub?: readonly Piece[];
  /** Where it leads in the panel. */
  readonly beside?: string;
  readonly to: string | (() => void);
}

/** Lines that belong together, under a heading. */
export interface Group {
  readonly title: string;
  readonly finds: readonly Find[];
}

/** A text as one piece that nobody looked for. */
export const plain = (text: string): readonly Piece[] => [{ text: visible(text), isFound: false }];

/** A text in pieces, by which of its characters were typed. */
function pieced(text: string, at: readonly number[]): readonly Piece[] {
  const pieces: { text: string; isFound: boolean }[] = [];
  for (const [index, character] of [...text].entries()) {
    const isFound = at.includes(index);
    const last = pieces.at(-1);
    if (last?.isFound === isFound) last.text += character;
    else pieces.push({ text: character, isFound });
  }
  return pieces.map((piece) => ({ ...piece, text: visible(piece.text) }));
}

/** What fits what was typed, the best first. */
export function fitting<T>(
  typed: string,
  all: readonly T[],
  textOf: (one: T) => string,
  most: number,
): readonly { readonly one: T; readonly pieces: readonly Piece[] }[] {
  return all
    .flatMap((one) => {
      const fit = fitOf(typed, textOf(one));
      return fit ? [{ one, fit }] : [];
    })
    .toSorted((left, right) => right.fit.score - left.fit.score)
    .slice(0, most)
    .map(({ one, fit }) => ({ one, pieces: pieced(textOf(one), fit.at) }));
}

/** The boards whose names fit. */
export function boardsFor(typed: string): Group {
  const all = [...activeBoards.value, ...boardsToJoin.value, ...archivedBoards.value];
  return {
    title: "Boards",
    finds: fitting(typed, all, ({ name }) => name, 6).map(({ one, pieces }) => ({
      id: one.id,
      icon: one.visibility === "private" ? "lock" : "board",
      pieces,
      end:
        one.lifecycle === "archived"
          ? "archived"
          : one.on_board
            ? one.unread
              ? `${one.unread} new`
              : ""
            : "open to join",
      ...(one.title && { sub: plain(one.title) }),
      to: addressOf(one.name),
    })),
  };
}

/** The people and agents whose names fit: of the board that is shown, and one's own agents everywhere. */
export function membersFor(typed: string, board: string | null): Group {
  const here = board
    ? boardOf(board).members.value.filter(({ status }) => status === "active")
    : [];
  const others = activeBoards.value.flatMap(({ name }) => (name === board ? [] : workingOn(name)));
  const all = new Map([...here, ...ownAgents.value, ...others].map((one) => [one.id, one]));
  return {
    title: "People and agents",
    finds: fitting(typed, [...all.values()], ({ name }) => name, 8).map(({ one, pieces }) => ({
      id: one.id,
      icon: null,
      who: one,
      pieces,
      end: one.board,
      to: `${addressOf(one.board)}?from=${encodeURIComponent(one.name)}`,
      beside: addressOf(one.board, "people"),
    })),
  };
}

/** Where the reader was last, and the boards with something new. */
export function lately(): Group {
  const visited = recents.value.slice(1);
  const news = activeBoards.value.filter(
    ({ name, unread }) =>
      (unread ?? 0) > 0 && !visited.some(({ board, what }) => board === name && what === null),
  );
  return {
    title: "Lately",
    finds: [
      ...visited.map(({ address, board, what }) => ({
        id: address,
        icon: what?.startsWith("thread") ? ("thread" as const) : ("board" as const),
        pieces: plain(what ?? board),
        end: what ? board : "",
        to: address,
      })),
      ...news.slice(0, 6).map(({ id, name, unread }) => ({
        id,
        icon: "board" as const,
        pieces: plain(name),
        end: `${unread} new`,
        to: addressOf(name),
      })),
    ],
  };
}

/** So many boards are searched at once where none was chosen, and so many hits are shown of each. */
const mostBoards = 6;
const hitsEach = 3;
const hitsOfOne = 12;

/** Searches a board, or those with the newest messages. Throws what a chosen board's search refuses. */
export async function searched(typed: string, board: string | null): Promise<readonly Group[]> {
  const names = board
    ? [board]
    : [...activeBoards.value]
        .sort((one, other) =>
          (other.last_message_at ?? "").localeCompare(one.last_message_at ?? ""),
        )
        .slice(0, mostBoards)
        .map(({ name }) => name);
  const limit = board ? hitsOfOne : hitsEach;
  const found = await Promise.all(
    names.map(async (name) => {
      const search = api.call("searchBoard", {
        params: { board: name },
        query: { q: whileTyped(typed), limit },
      });
      const { hits } = await (board ? search : search.catch(() => ({ hits: [] as Hit[] })));
      return hits.map((hit) => ({ hit, board: name, isAlone: board !== null }));
    }),
  );
  const all = found.flat();
  const group = (title: string, kind: Hit["kind"]): Group => ({
    title,
    finds: all.filter(({ hit }) => hit.kind === kind).map(findOf),
  });
  return [group("Tasks", "task"), group("Messages", "message"), group("Files", "file")];
}

/**
 * A query that is still being typed: its last word may go on, if the server takes that as the beginning of a word. Quotes and
 * stars say that the reader knows what they want.
 */
const whileTyped = (typed: string): string =>
  /^[^"*]*$/.test(typed) && /(^|\s)[\p{L}\p{N}]{3,}$/u.test(typed) ? `${typed}*` : typed;

const icons = {
  open: "t-open",
  in_progress: "t-prog",
  done: "t-done",
  cancelled: "t-cancel",
} as const;

function findOf({ hit, board, isAlone }: { hit: Hit; board: string; isAlone: boolean }): Find {
  const excerpt = piecesOf(hit);
  const end = isAlone ? "" : `${board} · `;
  if (hit.kind === "task") {
    const isTitle = hit.found_in === "title" || hit.found_in === "ref";
    return {
      id: `${board} ${hit.id}`,
      icon: icons[hit.state as keyof typeof icons] ?? "task",
      mono: hit.ref,
      pieces: hit.found_in === "title" ? excerpt : plain(hit.title),
      end: end + (hit.owner ? named(hit.owner) : "nobody"),
      ...(!isTitle && { sub: excerpt }),
      to: addressOf(board, "tasks", hit.ref),
    };
  }
  if (hit.kind === "file")
    return {
      id: `${board} ${hit.id}`,
      icon: "file",
      pieces: excerpt,
      end: `${end}v${hit.latest.version}, ${named(hit.latest.by)}`,
      to: addressOf(board, "files", hit.name),
    };
  const thread = hit.thread_root_seq ?? hit.seq;
  return {
    id: `${board} ${hit.id}`,
    icon: null,
    who: hit.from,
    mono: hit.from.name,
    pieces: excerpt,
    end: end + ageOf(hit.at),
    to: addressOf(board, "message", hit.seq),
    beside: addressOf(board, "thread", thread),
  };
}

function piecesOf({ excerpt }: Hit): readonly Piece[] {
  const { parts, more_before, more_after } = excerpt;
  const dots = (is: boolean) => (is ? [{ text: "…", isFound: false }] : []);
  return [
    ...dots(more_before),
    ...parts.map(({ text, match }) => ({
      text: visible(text.replace(/\s+/g, " ")),
      isFound: match,
    })),
    ...dots(more_after),
  ];
}
