import type { Actor } from "../acting/acting.ts";
import type { Answer } from "../frame/command.ts";
import type { Typed } from "../frame/suggest.ts";
import { header, messageBlock } from "../messages/message-text.ts";
import type { Message } from "../messages/message-types.ts";
import { dim } from "../terminal/style.ts";
import { counted } from "../terminal/table.ts";

interface List {
  readonly asks: readonly Message[];
  readonly more: boolean;
}

/** Lists open asks, at most `limit` of each kind. An agent sees its own and those to it. A person sees those to them, on all boards or on the named one. */
export async function openAsks(
  { api, kind }: Actor,
  board: string | undefined,
  limit: number,
  typed: Typed,
): Promise<Answer> {
  const list = (query: { to_me?: boolean; from_me?: boolean }) =>
    api.call("listAsks", { query: { ...query, limit, ...(board && { board }) } });
  const none: List = { asks: [], more: false };
  const [own, others] = await Promise.all([
    kind === "agent" ? list({ from_me: true }) : none,
    list({ to_me: true }),
  ]);
  const asks = [...own.asks, ...others.asks];
  return {
    json: { asks, more: own.more || others.more },
    text: asks.length
      ? [...part("You asked", own, kind), ...part("You are asked", others, kind)]
          .concat(
            others.asks.length ? [answering(others, typed, placeOf(others, kind, board))] : [],
          )
          .join("\n\n")
      : "No ask is open.",
  };
}

function part(title: string, { asks, more }: List, kind: Actor["kind"]): string[] {
  if (asks.length === 0) return [];
  const boards = new Set(asks.map(({ board }) => board));
  const named = boards.size === 1 ? [...boards][0]! : `${boards.size} boards`;
  const count = `${counted(asks.length, "ask", "asks")}${more ? ", and there are more" : ""}`;
  const blocks = asks.map((ask) =>
    boards.size === 1
      ? messageBlock(ask, kind)
      : `${header(ask.board)}\n${messageBlock(ask, kind)}`,
  );
  return [header(named, title, count), ...blocks];
}

/** The `--board` flag that a person needs to answer. An agent has only one board. */
function placeOf({ asks }: List, kind: Actor["kind"], named: string | undefined): string {
  if (kind === "agent" || named) return "";
  const [board, second] = new Set(asks.map((ask) => ask.board));
  return ` --board ${second ? "BOARD" : board}`;
}

/** How to answer. Where one ask is listed, the commands are about that one. */
function answering({ asks: [first, second] }: List, typed: Typed, place: string): string {
  const answer = `ask --answer ${first && !second ? first.seq : "MSG"}`;
  const inWords = typed(`${answer} "TEXT"${place}`);
  if (first && !second && !first.ask?.options?.length) return dim(`Answer: ${inWords}`);
  return dim(`Answer: ${typed(`${answer} --option K${place}`)}, or in words: ${inWords}`);
}
