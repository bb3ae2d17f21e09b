import type { ComponentChildren } from "preact";
import { boardOf, type LogEvent } from "../../core/boards/board.ts";
import type { ToldType } from "../../core/talk/quiet.ts";
import { fileNamesOf, tasksOf } from "../../core/talk/references.ts";
import { addressOf } from "../../core/screen/router.ts";
import { TaskLink } from "../../parts/text/references.tsx";
import { Name, visible } from "../../parts/who.tsx";

type Data = Readonly<Record<string, unknown>>;

const textOf = (data: Data, key: string): string => {
  const value = data[key];
  return typeof value === "string" ? visible(value) : "";
};

/** What a line says. Who did it stands before it. Null for an event that this page does not know. */
type Sentence = (board: string, events: readonly LogEvent[]) => ComponentChildren;

/** The events of a line as a list, with `and` before the last. */
function listed(parts: readonly ComponentChildren[]): ComponentChildren {
  return parts.map((part, at) => (
    <>
      {at > 0 && (at === parts.length - 1 ? " and " : ", ")}
      {part}
    </>
  ));
}

const dataOf = ({ data }: LogEvent): Data => data ?? {};
const firstOf = (events: readonly LogEvent[]): Data => dataOf(events[0]!);

/** Most things that a line names. More are counted. */
const mostNamed = 3;

function tasks(board: string, events: readonly LogEvent[]): ComponentChildren {
  const refs = [...new Set(events.map((event) => textOf(dataOf(event), "ref")))];
  if (refs.length > mostNamed) return `${refs.length} tasks`;
  if (refs.length > 1) return listed(refs.map((ref) => <TaskLink board={board} reference={ref} />));
  return (
    <>
      <TaskLink board={board} reference={refs[0]!} />{" "}
      <TaskTitle board={board} reference={refs[0]!} />
    </>
  );
}

function TaskTitle({ board, reference }: { board: string; reference: string }) {
  const title = tasksOf(board).get(reference)?.title;
  return title ? <bdi>{visible(title)}</bdi> : null;
}

function finished(board: string, events: readonly LogEvent[]): ComponentChildren {
  const data = firstOf(events);
  const note = events.length === 1 ? textOf(data, "note") : "";
  return (
    <>
      {data["cancelled"] === true ? "cancelled" : "finished"} {tasks(board, events)}
      {note && (
        <>
          : “<bdi>{note}</bdi>”
        </>
      )}
    </>
  );
}

/** Gives a task up, or takes somebody off it. */
function dropped(board: string, events: readonly LogEvent[]): ComponentChildren {
  const data = firstOf(events);
  const reason = events.length === 1 ? textOf(data, "reason") : "";
  const member = boardOf(board).members.value.find(({ id }) => id === data["member_id"]);
  const what =
    data["by"] === "person" ? (
      <>took {member ? <Name of={member} /> : "a member"} off</>
    ) : data["as"] === "owner" ? (
      "gave up"
    ) : (
      "stopped helping on"
    );
  return (
    <>
      {what} {tasks(board, events)}
      {reason && (
        <>
          : “<bdi>{reason}</bdi>”
        </>
      )}
    </>
  );
}

function approved(board: string, events: readonly LogEvent[]): ComponentChildren {
  const ids = new Map(events.map((event) => [dataOf(event)["file_id"], dataOf(event)["version"]]));
  if (ids.size > mostNamed) return `approved ${ids.size} files`;
  return (
    <>
      approved{" "}
      {listed(
        [...ids].map(([id, version]) => <FileVersion board={board} id={id} version={version} />),
      )}
    </>
  );
}

function FileVersion({ board, id, version }: { board: string; id: unknown; version: unknown }) {
  const name = fileNamesOf(board).get(String(id));
  if (name === undefined) return <>version {String(version)} of a file</>;
  return (
    <>
      <a href={addressOf(board, "files", name)}>
        <b>
          <bdi>{visible(name)}</bdi>
        </b>
      </a>{" "}
      version {String(version)}
    </>
  );
}

/** A member that an event is about, who may not be who caused it. */
function About({ data, origin }: { data: Data; origin: string | undefined }) {
  const kind = data["owner"] === undefined || data["owner"] === null ? "human" : "agent";
  return (
    <Name of={{ name: String(data["name"] ?? "somebody"), kind, ...(origin && { origin }) }} />
  );
}
const about = (event: LogEvent) => <About data={dataOf(event)} origin={event.origin} />;

const renamed = (data: Data): ComponentChildren => (
  <>
    <bdi>{textOf(data, "before")}</bdi> to{" "}
    <b>
      <bdi>{textOf(data, "after")}</bdi>
    </b>
  </>
);

/** Those whose line does not begin with who did it. */
type Apart = "board.rolled_back" | "board.imported" | "board.moved";

const sentences: Readonly<Record<Exclude<ToldType, Apart>, Sentence>> = {
  "board.created": () => "made the board",
  "member.joined": (_, events) => {
    const own = events.filter((event) => event.actor.name === dataOf(event)["name"]);
    return own.length === events.length ? "joined" : <>brought {listed(events.map(about))}</>;
  },
  "person.added": (_, events) => {
    const own = events.every((event) => event.actor.name === dataOf(event)["name"]);
    return own ? "joined" : <>added {listed(events.map(about))}</>;
  },
  "person.left": () => "left",
  "agent.left": () => "left",
  "person.removed": (_, events) => <>removed {listed(events.map(about))}</>,
  "agent.removed": (_, events) => <>removed {listed(events.map(about))}</>,
  "person.renamed": (_, events) => {
    const isOwn = events[0]!.actor.member_id === firstOf(events)["member_id"];
    return (
      <>
        {isOwn ? "changed their name from" : "renamed"} {renamed(firstOf(events))}
      </>
    );
  },
  "person.made_owner": (_, events) => <>made {listed(events.map(about))} an owner</>,
  "task.created": (board, events) => <>opened {tasks(board, events)}</>,
  "task.started": (board, events) => <>started {tasks(board, events)}</>,
  "task.joined": (board, events) => <>joined {tasks(board, events)}</>,
  "task.done": finished,
  "task.dropped": dropped,
  "file.approved": approved,
  "file.approval_removed": (board, events) => {
    const { file_id: id, version } = firstOf(events);
    return (
      <>
        took back the approval of <FileVersion board={board} id={id} version={version} />
      </>
    );
  },
  "file.renamed": (_, events) => <>renamed {renamed(firstOf(events))}</>,
  "file.removed": (_, events) => (
    <>
      removed{" "}
      {listed(
        events.map((event) => (
          <b>
            <bdi>{textOf(dataOf(event), "name")}</bdi>
          </b>
        )),
      )}
    </>
  ),
  "board.titled": (_, events) => {
    const after = textOf(firstOf(events), "after");
    return after ? (
      <>
        gave the board the title “<bdi>{after}</bdi>”
      </>
    ) : (
      "took the board’s title away"
    );
  },
  "board.task_prefix_set": (_, events) => (
    <>
      gave tasks the letters <b>{textOf(firstOf(events), "after")}</b>
    </>
  ),
  "board.policy_changed": () => "changed the board’s policy",
  "board.agents_add_people_changed": (_, events) =>
    firstOf(events)["agents_add_people"] === true
      ? "lets agents add people"
      : "lets agents add people no more",
  "board.visibility_changed": (_, events) =>
    firstOf(events)["after"] === "private" ? "made the board private" : "opened the board",
  "board.archived": () => "archived the board",
  "board.restored": () => "restored the board",
};

/** What one member did, as a line without the weight of a message. */
export function QuietWords({ board, events }: { board: string; events: readonly LogEvent[] }) {
  const [first] = events;
  if (!first) return null;
  const { actor, type, origin } = first;
  if (type === "board.rolled_back")
    return <>The server was restored from a backup. What came after this place is gone.</>;
  if (type === "board.imported")
    return (
      <>
        The board came from <b>{visible(String(firstOf(events)["origin"]))}</b>. What stands before
        this was written there.
      </>
    );
  if (type === "board.moved")
    return (
      <>
        The board has moved to <b>{visible(String(firstOf(events)["server"]))}</b>. Here it can only
        be read.
      </>
    );
  if (!Object.hasOwn(sentences, type)) return null;
  const said = sentences[type as keyof typeof sentences](board, events);
  const isGuest = type === "member.joined" && firstOf(events)["guest"] === true;
  return (
    <>
      {actor.name === null ? (
        <b>The server</b>
      ) : (
        <Name
          of={{
            name: actor.name,
            kind: actor.kind === "agent" ? "agent" : "human",
            ...(origin && { origin }),
          }}
        />
      )}{" "}
      {said}
      {isGuest && " as a guest"}
    </>
  );
}

/** Who caused an event, for those who hear the timeline. */
export const actorOf = ({ actor }: LogEvent): string => visible(actor.name ?? "The server");
