import { useEffect, useState } from "preact/hooks";
import { api, ApiError } from "../../core/connection/api.ts";
import { joinBoard, keepBoard } from "../../core/boards-acts.ts";
import { boardOf, heldBoard, type BoardView, type LogEvent } from "../../core/boards/board.ts";
import { draftAt } from "../../core/sending/drafts.ts";
import { unsent } from "../../core/sending/outbox.ts";
import { boardNamed, reloadBoards } from "../../core/boards/overview.ts";
import { sentenceOf } from "../../core/connection/problems.ts";
import { isGuest } from "../../core/connection/session.ts";
import { longDay } from "../../core/screen/time.ts";
import { CopyButton } from "../../parts/copy-line.tsx";
import { DeleteBoard } from "../../parts/frame/delete-board.tsx";
import { Icon } from "../../parts/icon.tsx";
import { visible } from "../../parts/who.tsx";

/**
 * Whether the person may not read a board: it is open and they are not on it, or there is none that they can see. Where the
 * list says so, the board is not asked.
 */
export function isClosed(name: string): boolean {
  const listed = boardNamed(name);
  if (listed && !listed.on_board && heldBoard(name)?.state.value !== "ready") return true;
  const { value } = boardOf(name).state;
  return value instanceof ApiError && (value.status === 403 || value.status === 404);
}

/** What stands in place of a board that the person may not read. Nothing of its content is shown. */
export function ClosedBoard({ name }: { name: string }) {
  const held = heldBoard(name);
  const problem = held?.state.value;
  const wasOpen = (held?.info.value ?? null) !== null;
  const isOpen = problem instanceof ApiError ? problem.status === 403 : true;
  const title = `There is no board “${name}” that you can see`;
  return (
    <main class="main" id="main" tabIndex={-1} data-f6>
      <header class="head">
        <div class="head-1">
          <a class="ib only-phone" href="/" aria-label="Back to home">
            <Icon name="back" />
          </a>
          <h1>{isOpen ? name : "No board"}</h1>
        </div>
      </header>
      <div class="page">
        {isOpen ? (
          <ToJoin name={name} wasOpen={wasOpen} />
        ) : (
          <div class="blank" role={wasOpen ? "alert" : undefined}>
            <Icon name="board" />
            <h2>{wasOpen ? `You cannot see ${name} any more` : title}</h2>
            <p class="dim">
              {wasOpen
                ? "You were taken off it, or it was made private or deleted. What you had open here is gone."
                : "It may be private, or deleted, or its name is another one. Whoever is on it can add you."}
            </p>
            <p class="act">
              <a class="b" href="/">
                What needs you
              </a>
            </p>
          </div>
        )}
        <Unsent board={name} />
      </div>
    </main>
  );
}

/** An open board that the person is not on: its size, and a way in. */
function ToJoin({ name, wasOpen }: { name: string; wasOpen: boolean }) {
  const [people, setPeople] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    api.call("listPeople", { params: { board: name } }).then(
      (list) => setPeople(list.people.length),
      () => {},
    );
  }, [name]);
  const listed = boardNamed(name);
  const isArchived = listed?.lifecycle === "archived";
  const join = async () => {
    try {
      await joinBoard(name);
    } catch (error) {
      // It was made private or deleted since it was listed, which nobody who is not on it is told.
      if (error instanceof ApiError && error.status === 404)
        return Promise.all([reloadBoards(), boardOf(name).reload()]);
      setProblem(sentenceOf(error));
    }
  };
  const size = people === null ? null : people === 1 ? "one person is" : `${people} people are`;
  return (
    <div class="blank">
      <Icon name="board" />
      <h2>{wasOpen ? `You are not on ${name} any more` : `You are not on ${name}`}</h2>
      {listed?.title && (
        <p>
          <bdi>{visible(listed.title)}</bdi>
        </p>
      )}
      <p class="dim">
        It is open to everybody on this server{size && `, and ${size} on it`}.{" "}
        {isArchived
          ? "It is archived, so nobody can join it."
          : "Once you are on it you read all that was said there."}
      </p>
      {!isArchived && !isGuest.value && (
        <p class="act">
          <button class="b p" type="button" onClick={() => void join()}>
            Join {name}
          </button>
        </p>
      )}
      {problem && (
        <p class="err" role="alert">
          <Icon name="warn" small />
          <span>{problem}</span>
        </p>
      )}
    </div>
  );
}

/** What the person wrote for a board and nobody has: it can be copied. */
function Unsent({ board }: { board: string }) {
  const draft = draftAt(board).value.text;
  const texts = [
    ...unsent.value.filter((one) => one.board === board).map(({ body }) => body.body),
    ...(draft === "" ? [] : [draft]),
  ];
  if (texts.length === 0) return null;
  return (
    <section class="blank unsent-s" aria-label="Not sent">
      <h3>What you wrote was not sent</h3>
      <ul class="short-l">
        {texts.map((text, at) => (
          <li key={at}>
            <span class="grow">{visible(text)}</span>
            <CopyButton text={text} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What holds for a whole board: that it is archived, and that its reader is a guest. */
export function BoardStrips({ view }: { view: BoardView }) {
  const info = view.info.value;
  if (!info) return null;
  return (
    <>
      {info.lifecycle === "archived" && <ArchivedStrip view={view} />}
      {isGuest.value && info.lifecycle === "active" && (
        <div class="strip">
          <Icon name="people" />
          <span>
            You are a guest on this board: you read, write, answer and react. Opening tasks and
            adding files is for its members.
          </span>
        </div>
      )}
    </>
  );
}

/** So many of the newest events are searched for the archive. What comes after it are people who leave. */
const eventsLooked = 50;

function ArchivedStrip({ view }: { view: BoardView }) {
  const { can_restore, can_delete, moved_to } = view.info.value!;
  const [event, setEvent] = useState<LogEvent | null>(null);
  const [isDeleting, setDeleting] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const query = { newest: true, limit: eventsLooked } as const;
    api.call("listEvents", { params: { board: view.name }, query }).then(
      ({ events }) => setEvent(events.findLast(({ type }) => type === "board.archived") ?? null),
      () => {},
    );
  }, [view]);
  const restore = async () => {
    try {
      await keepBoard("restoreBoard", view.name);
      await view.reload();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <div class="strip">
      <Icon name="archive" />
      <span>
        Archived
        {event && (
          <>
            {" "}
            by <b class="who">{visible(event.actor.name ?? "the server")}</b> on {longDay(event.at)}
          </>
        )}
        . It can be read and searched; nothing new is written.
        {moved_to && (
          <>
            {" "}
            It has moved to <b>{visible(moved_to.server)}</b>.
          </>
        )}
        {problem && <span role="alert"> {problem}</span>}
      </span>
      <span class="end">
        {can_restore && (
          <button class="b" type="button" onClick={() => void restore()}>
            Restore
          </button>
        )}
        {can_delete && (
          <button class="b q" type="button" onClick={() => setDeleting(true)}>
            Delete for good…
          </button>
        )}
      </span>
      {isDeleting && <DeleteBoard name={view.name} onEnd={() => setDeleting(false)} />}
    </div>
  );
}
