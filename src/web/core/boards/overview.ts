import { computed, signal } from "@preact/signals";
import type { OutputOf } from "../../../contract/index.ts";
import { api } from "../connection/api.ts";
import { catchUp, connection, liveStream, onEvent } from "../connection/live.ts";
import { readPresent, shownOf } from "../connection/presence.ts";
import { session } from "../connection/session.ts";

export type ListedBoard = OutputOf<"listBoards">["boards"][number];
export type HiddenBoard = NonNullable<OutputOf<"listBoards">["hidden_boards"]>[number];
export type Attention = OutputOf<"getAttention">;
export type AttentionItem = Attention["items"][number];
export type OwnAgent = OutputOf<"listOwnAgents">["agents"][number];

/** The boards that the person can see, in the order in which they were made. Null until they are known. */
export const boards = signal<readonly ListedBoard[] | null>(null);
/** Private boards that a server admin is not on, without their names. Empty for everybody else. */
export const hiddenBoards = signal<readonly HiddenBoard[]>([]);
/** What needs the person. Null until it is known. */
export const attention = signal<Attention | null>(null);
/** The person's own agents. */
export const ownAgents = signal<readonly OwnAgent[]>([]);

const boardsWhere = (isMeant: (board: ListedBoard) => boolean) =>
  computed(() =>
    (boards.value ?? []).filter(isMeant).sort((one, other) => one.name.localeCompare(other.name)),
  );

/** The boards that the person is on and that are in use, in the order of their names. */
export const activeBoards = boardsWhere(
  ({ on_board, lifecycle }) => on_board && lifecycle === "active",
);
/** The open boards that the person is not on and may join. */
export const boardsToJoin = boardsWhere(
  ({ on_board, lifecycle }) => !on_board && lifecycle === "active",
);
/** The archived boards that the person can see. */
export const archivedBoards = boardsWhere(({ lifecycle }) => lifecycle === "archived");

/** The board of this name, or null. */
export const boardNamed = (name: string): ListedBoard | null =>
  boards.value?.find((board) => board.name === name) ?? null;

async function loadBoards(): Promise<void> {
  const all: ListedBoard[] = [];
  const hidden: HiddenBoard[] = [];
  let after: string | undefined;
  do {
    const query = { all: true, lifecycle: "all", form: "short", ...(after && { after }) } as const;
    const page = await api.call("listBoards", { query });
    all.push(...page.boards);
    hidden.push(...(page.hidden_boards ?? []));
    after = page.next ?? undefined;
  } while (after);
  boards.value = all;
  hiddenBoards.value = hidden;
}

let mostItems = 50;
/** The server gives no more items at once. */
const mostItemsAtOnce = 200;

async function loadAttention(): Promise<void> {
  attention.value = await api.call("getAttention", { query: { limit: mostItems } });
}

/** Fetches more of what needs the person, up to what the server gives at once. */
export function loadMoreAttention(): Promise<void> {
  mostItems = mostItemsAtOnce;
  return loadAttention();
}

let ownAgentsOf: number | null = null;

async function loadOwnAgents(): Promise<void> {
  const read = await readPresent(async () => (await api.call("listOwnAgents")).agents);
  ownAgents.value = read.list;
  ownAgentsOf = read.stream;
  // The stream began meanwhile, or has begun again.
  if (liveStream() !== null && liveStream() !== read.stream) freshAgents();
}

/** Fetches at most once in so many milliseconds, however often it is asked for. The last wish is always met. */
function atMostEvery(milliseconds: number, fetchIt: () => Promise<void>): () => void {
  let isDue = false;
  let isResting = false;
  const run = () => {
    if (isResting) {
      isDue = true;
      return;
    }
    isDue = false;
    isResting = true;
    // What failed is fetched again with the next news, or when the connection is back.
    void fetchIt().catch(() => {});
    setTimeout(() => {
      isResting = false;
      if (isDue) run();
    }, milliseconds);
  };
  return run;
}

const freshBoards = atMostEvery(1_000, loadBoards);
const freshAttention = atMostEvery(1_000, loadAttention);
const freshAgents = atMostEvery(5_000, loadOwnAgents);
/** Counts of a board that no event carries, such as its open tasks, are shown this late at most. */
const freshCounts = atMostEvery(15_000, loadBoards);

/** Fetches the person's own agents again, after an act of theirs. */
export const lookForAgents = freshAgents;

/** Fetches again what needs the person, after an act of theirs. */
export const lookAgain = freshAttention;
/** Fetches the boards again, after an act of the person. */
export const reloadBoards = loadBoards;

const changed = (id: string, change: Partial<ListedBoard>): boolean => {
  const known = boards.value?.some((board) => board.id === id) ?? false;
  if (known)
    boards.value = boards.value!.map((board) =>
      board.id === id ? { ...board, ...change } : board,
    );
  return known;
};

/** Loads the overview of a person, and keeps it as the stream says. */
export async function keepOverview(): Promise<void> {
  onEvent(({ event, data }) => {
    if (event === "head") {
      const known = boards.value?.find(({ id }) => id === data.board_id);
      if (!known) freshBoards();
      else if (data.seq > known.head_seq) {
        changed(data.board_id, { head_seq: data.seq });
        freshCounts();
        freshAgents();
      }
    }
    if (event === "unread")
      changed(data.board_id, { read_up_to: data.read_up_to, unread: data.unread });
    if (event === "board_unavailable") freshBoards();
    if (event === "attention") freshAttention();
    if (event === "presence")
      ownAgents.value = ownAgents.value.map((agent) =>
        agent.id === data.member_id ? { ...agent, ...shownOf(data) } : agent,
      );
  });
  const loadAll = () => Promise.all([loadBoards(), loadAttention(), loadOwnAgents()]);
  let isStale = false;
  connection.subscribe(({ state }) => {
    if (state === "live" && isStale) catchUp(loadAll());
    else if (state === "live" && ownAgentsOf !== liveStream()) freshAgents();
    isStale = state === "lost";
  });
  await loadAll().catch(() => {
    // What could not be read is read once the stream is live, which is now or later.
    isStale = true;
    if (connection.value.state === "live") catchUp(loadAll());
  });
}

/** The name of the server, as people say it. */
export const serverName = location.host;

/** The handle of the person who is signed in. */
export const me = computed(() => session.value?.person.handle ?? "");
