import { boardOf, type BoardView } from "../../core/boards/board.ts";
import { openPalette } from "../../core/screen/palette.ts";
import { addressOf, go, type BoardPart, type BoardPlace } from "../../core/screen/router.ts";
import { useKeys } from "../../core/screen/keys.ts";
import { me } from "../../core/boards/overview.ts";
import { counted } from "../../core/screen/words.ts";
import { Dock } from "../../parts/frame/dock.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Failed } from "../../parts/problem.tsx";
import { TabActsPlace } from "../../parts/frame/tab-acts.tsx";
import { Mark, visible } from "../../parts/who.tsx";
import { BoardMenu } from "./board-menu.tsx";
import { partsOfBoard } from "./parts.ts";
import { BoardStrips, ClosedBoard, isClosed } from "./states.tsx";

/** A board, or why it is not shown. */
export const Board = ({ place }: { place: BoardPlace }) =>
  isClosed(place.board) ? <ClosedBoard name={place.board} /> : <OpenBoard place={place} />;

/** A board: its head, its parts, and the one that is shown. */
function OpenBoard({ place }: { place: BoardPlace }) {
  const view = boardOf(place.board);
  const state = view.state.value;
  const shown = partsOfBoard.find(({ shows }) => shows.includes(place.part));
  useKeys(
    Object.fromEntries(
      partsOfBoard.map(({ letter, part }) => [
        `g ${letter}`,
        () => go(addressOf(place.board, part)),
      ]),
    ),
  );
  const isArchived = view.info.value?.lifecycle === "archived";
  return (
    <main class={isArchived ? "main archived" : "main"} id="main" tabIndex={-1} data-f6>
      <Head view={view} part={shown?.part ?? "talk"} />
      <BoardStrips view={view} />
      {state instanceof Error && (
        <Failed
          what="The board could not be read."
          error={state}
          again={() => void view.reload()}
        />
      )}
      {shown && <shown.Part key={shown.part} place={place} />}
      {/* The talk has it above its composer. */}
      {shown && shown.part !== "talk" && <Dock board={place.board} />}
    </main>
  );
}

function Head({ view, part }: { view: BoardView; part: BoardPart }) {
  const title = view.info.value?.title;
  return (
    <header class="head">
      <div class="head-1">
        <a class="ib only-phone" href="/" aria-label="Back to home">
          <Icon name="back" />
        </a>
        <h1>{view.name}</h1>
        {view.info.value?.visibility === "private" && (
          <span class="sub">
            <Icon name="lock" small />
            <span class="vh">private</span>
          </span>
        )}
        <span class="sub clip1">{title && visible(title)}</span>
        <div class="end">
          <Here view={view} />
          <button
            class="ib"
            type="button"
            aria-label="Search this board (/)"
            aria-haspopup="dialog"
            onClick={() => openPalette(view.name)}
          >
            <Icon name="search" />
          </button>
          <BoardMenu view={view} />
        </div>
      </div>
      <nav class="tabs" aria-label="Parts of the board">
        {partsOfBoard.map((each) => (
          <a
            key={each.part}
            href={addressOf(view.name, each.part)}
            {...(each.part === part && { "aria-current": "page" })}
          >
            {each.title}
            <CountOf part={each.part} view={view} />
          </a>
        ))}
        <TabActsPlace />
      </nav>
    </header>
  );
}

/** Who is on the board: people, then agents. */
function Here({ view }: { view: BoardView }) {
  const present = view.members.value.filter(({ status }) => status === "active");
  const people = present.filter(({ kind }) => kind === "human");
  const agents = present.filter(({ kind }) => kind === "agent");
  const working = agents.filter(({ state }) => state === "working").length;
  const marks = (members: typeof present, most: number) => (
    <span class="mks" aria-hidden="true">
      {members.slice(0, most).map((member) => (
        <Mark key={member.id} of={member} small />
      ))}
    </span>
  );
  return (
    <a class="here" href={addressOf(view.name, "people")}>
      <span class="vh">
        {`${counted(people.length, "person", "people")} and ${counted(agents.length, "agent", "agents")}, ${working} of them working`}
      </span>
      {marks(people, 3)}
      {marks(agents, 5)}
      {present.length === 1 && present[0]!.name === me.value && <span>only you</span>}
    </a>
  );
}

/** How much there is in a part, where that is known. */
function CountOf({ part, view }: { part: BoardPart; view: BoardView }) {
  const info = view.info.value;
  const counts: Partial<Record<BoardPart, number | undefined>> = {
    tasks: info?.tasks_open,
    files: info?.file_count,
    people: view.members.value.filter(({ status }) => status === "active").length,
  };
  const count = counts[part];
  if (!count) return null;
  return part === "tasks" ? (
    <span class="num" title={`${counted(count, "task", "tasks")} nobody has started`}>
      {count}
    </span>
  ) : (
    <span class="num">{count}</span>
  );
}
