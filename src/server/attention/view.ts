import { openAsksToPerson } from "../../db/attention.ts";
import { causesOf, type CauseKind, type CauseRow } from "../../db/attention-causes.ts";
import type { AskRow } from "../../db/asks.ts";
import { boardAt, type BoardRow } from "../../db/boards.ts";
import type { ReadTx } from "../../db/engine/database.ts";
import { activeMembership, memberAt, type MemberAndHandle } from "../../db/members.ts";
import type { Caller } from "../access/identify.ts";

type Lifecycle = BoardRow["lifecycle"];

/** What every kind of item looks at: the person, and what is open for them. Each part is read at most once. */
export interface View {
  readonly tx: ReadTx;
  readonly caller: Caller;
  /** A board that the person may read now; null if it is in another state of life, or if they are not on it any more. */
  board(row: number): BoardRow | null;
  /** What concerns the person in this way, on boards that they may read, oldest first. */
  causes(kind: CauseKind): readonly CauseRow[];
  /** Open asks on boards that the person may read, to the person or to their agents, oldest first. */
  asks(of: "human" | "agent"): readonly AskRow[];
}

/** Begins to look at what is open for a person on their boards in these states of life. */
export function viewOf(tx: ReadTx, caller: Caller, lifecycles: readonly Lifecycle[]): View {
  const { row: personRow } = caller.person;
  const boards = new Map<number, BoardRow | null>();
  const board = (row: number) => {
    let known = boards.get(row);
    if (known === undefined)
      boards.set(row, (known = readableBoard(tx, row, personRow, lifecycles)));
    return known;
  };
  const onBoard = ({ member_row }: { member_row: number }) =>
    board(memberOf(tx, member_row).board_row) !== null;
  let causes: ReadonlyMap<CauseKind, readonly CauseRow[]> | undefined;
  let asks: ReadonlyMap<"human" | "agent", readonly AskRow[]> | undefined;
  return {
    tx,
    caller,
    board,
    causes(kind) {
      causes ??= Map.groupBy(causesOf(tx, personRow).filter(onBoard), (cause) => cause.kind);
      return causes.get(kind) ?? [];
    },
    asks(of) {
      asks ??= Map.groupBy(
        openAsksToPerson(tx, personRow).filter(onBoard),
        ({ member_row }) => memberOf(tx, member_row).kind,
      );
      return asks.get(of) ?? [];
    },
  };
}

function readableBoard(
  tx: ReadTx,
  row: number,
  personRow: number,
  lifecycles: readonly Lifecycle[],
): BoardRow | null {
  if (!activeMembership(tx, row, personRow)) return null;
  const board = boardAt(tx, row);
  return board && lifecycles.includes(board.lifecycle) ? board : null;
}

/** The member of a row that something stored names. */
export const memberOf = (tx: ReadTx, row: number): MemberAndHandle => memberAt(tx, row)!;
