import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OutputOf } from "../../../contract/index.ts";
import { mostListed } from "../../../contract/limits.ts";
import { api, ApiError } from "../../core/connection/api.ts";
import { boardOf } from "../../core/boards/board.ts";
import { changeDraft, draftAt } from "../../core/sending/drafts.ts";
import { addressOf } from "../../core/screen/router.ts";
import type { Message } from "../../core/talk/talk.ts";
import { rewrite } from "../../core/tasks/task-acts.ts";
import { isClosed, isMe, taskListOf, type Task } from "../../core/tasks/tasks.ts";
import { whenOf } from "../../core/screen/time.ts";
import { Ask } from "../../parts/asks/ask.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Written } from "../../parts/text/text.tsx";
import { Name, named, visible } from "../../parts/who.tsx";
import { SeveralLines } from "./writing.tsx";

/** A part of the panel with its title, and what stands beside that. */
function Section({
  title,
  beside,
  end,
  children,
}: {
  title: string;
  beside?: ComponentChildren;
  end?: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <section class="sect">
      <div class="sect-h">
        <h3>{title}</h3>
        {beside && <span class="muted">{beside}</span>}
        {end}
      </div>
      {children}
    </section>
  );
}

/** What holds a task up: each ask that blocks it, answered here by whoever is asked. */
export function HoldsUp({ task }: { task: Task }) {
  const [asks, setAsks] = useState<readonly Message[]>([]);
  const ids = task.blocked_on.map(({ ask_id }) => ask_id).join();
  useEffect(() => {
    let isOver = false;
    const read = task.blocked_on.map(({ ask_id }) =>
      api.call("getMessage", { params: { message: ask_id } }).then(({ message }) => message),
    );
    // What cannot be read is counted below.
    void Promise.allSettled(read).then((answers) => {
      if (isOver) return;
      setAsks(answers.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
    });
    return () => {
      isOver = true;
    };
  }, [ids]);
  if (!task.blocked || isClosed(task)) return null;
  const unread = task.blocked_count - task.blocked_on.length;
  return (
    <Section title="Holds it up">
      <div class="stack">
        {asks
          .filter(({ id }) => task.blocked_on.some(({ ask_id }) => ask_id === id))
          .map(
            (message) =>
              message.ask && <Ask key={message.id} message={message} ask={message.ask} />,
          )}
        {unread > 0 && (
          <p class="muted">
            {unread === 1 ? "One ask" : `${unread} asks`} between others, which you cannot read.
          </p>
        )}
      </div>
    </Section>
  );
}

/** Who wrote a text, and how much was said since. */
const written = ({ by, at, messages_since }: NonNullable<Task["stands"]>, counts: boolean) => (
  <>
    <Name of={by} />, {whenOf(at)}
    {counts &&
      messages_since > 0 &&
      ` · ${messages_since === 1 ? "1 message" : `${messages_since} messages`} since`}
  </>
);

const EditButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button class="ib end" type="button" aria-label={label} onClick={onClick}>
    <Icon name="edit" small />
  </button>
);

/** Where a task stands, with how fresh that is. */
export function Stands({ task, mayAct }: { task: Task; mayAct: boolean }) {
  const place = `${task.id}:stands`;
  const { stands } = task;
  const kept = draftAt(place).peek();
  const [base, setBase] = useState(kept.text ? (kept.base ?? 0) : null);
  const mayWrite = mayAct && !isClosed(task);
  if (!stands && !mayWrite) return null;
  // What was written before somebody else wrote does not take the place of theirs unseen.
  const begin = (version: number) => {
    changeDraft(place, { base: version });
    setBase(version);
  };
  const save = async (text: string) => {
    try {
      await rewrite(task, { stands: text, stands_base: base ?? 0 });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "stands_changed") throw error;
      const now = (await taskListOf(task.board).refresh(task.id))?.stands;
      // What the other wrote is shown beside the field. Saving again replaces it.
      begin(now?.version ?? 0);
      throw new Error(
        `${now && !isMe(now.by) ? named(now.by) : "Somebody"} was quicker: “${visible(now?.text ?? "")}” Save again to put yours in its place.`,
        { cause: error },
      );
    }
  };
  const version = stands?.version ?? 0;
  return (
    <Section
      title="Where it stands"
      beside={stands && written(stands, true)}
      end={
        mayWrite &&
        base === null && <EditButton label="Write where it stands" onClick={() => begin(version)} />
      }
    >
      {base !== null ? (
        <SeveralLines
          label="Where it stands"
          initial={stands?.text ?? ""}
          longest={2000}
          draft={place}
          save={save}
          onClose={() => setBase(null)}
        />
      ) : stands ? (
        <Written text={stands.text} of={{ board: task.board, mentions: [] }} />
      ) : (
        <p class="muted">Nobody has written it yet.</p>
      )}
    </Section>
  );
}

/** What a task is about. */
export function About({ task, mayAct }: { task: Task; mayAct: boolean }) {
  const place = `${task.id}:about`;
  const [isWritten, setWritten] = useState(draftAt(place).peek().text !== "");
  const { about } = task;
  const mayWrite = mayAct && !isClosed(task);
  if (!about?.text && !mayWrite) return null;
  return (
    <Section
      title="About"
      beside={about && written(about, false)}
      end={
        mayWrite &&
        !isWritten && (
          <EditButton label="Change what it is about" onClick={() => setWritten(true)} />
        )
      }
    >
      {isWritten ? (
        <SeveralLines
          label="About"
          initial={about?.text ?? ""}
          longest={4000}
          draft={place}
          mayBeEmpty
          save={(text) => rewrite(task, { about: text })}
          onClose={() => setWritten(false)}
        />
      ) : about?.text ? (
        <Written text={about.text} of={{ board: task.board, mentions: [] }} />
      ) : (
        <p class="muted">Nothing is written beside the title.</p>
      )}
    </Section>
  );
}

type BoardFile = OutputOf<"listFiles">["files"][number];

/** The files that are about a task. */
export function FilesOf({ task: { board, ref } }: { task: Task }) {
  const [files, setFiles] = useState<readonly BoardFile[]>([]);
  useEffect(() => {
    const read = async () => {
      const query = { task: ref, limit: mostListed };
      const found = await api.call("listFiles", { params: { board }, query });
      setFiles(found.files);
    };
    void read().catch(() => {});
    return boardOf(board).onNews(async (events) => {
      if (events.some(({ type }) => type.startsWith("file."))) await read();
    });
  }, [board, ref]);
  if (files.length === 0) return null;
  return (
    <Section title="Files">
      <ul class="mini">
        {files.map(({ id, name, latest }) => (
          <li key={id}>
            <a href={addressOf(board, "files", name)}>
              <Icon name="file" small /> <bdi>{visible(name)}</bdi>{" "}
              <span class="muted">
                version {latest.version}, {whenOf(latest.at)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** So many of the newest messages about a task are shown. */
const newest = 3;

const counted = (count: number, one: string, many: string) =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/** What was said about a task: the newest messages, and the way to all of them. */
export function Said({ task: { board, ref, message_count, thread_count } }: { task: Task }) {
  const [messages, setMessages] = useState<readonly Message[]>([]);
  useEffect(() => {
    let isOver = false;
    if (message_count > 0)
      void api
        .call("listMessages", {
          params: { board },
          query: { task: ref, newest: true, limit: newest },
        })
        .then(
          (page) => !isOver && setMessages(page.messages.toReversed()),
          () => {},
        );
    return () => {
      isOver = true;
    };
  }, [board, ref, message_count]);
  if (message_count === 0) return null;
  return (
    <Section
      title="Said about it"
      beside={
        <a href={`${addressOf(board)}?task=${encodeURIComponent(ref)}`}>
          {counted(message_count, "message", "messages")} in{" "}
          {counted(thread_count, "thread", "threads")}
        </a>
      }
    >
      <ul class="mini">
        {messages.map(({ id, seq, from, at, body }) => (
          <li key={id}>
            <a href={addressOf(board, "message", seq)}>
              <Name of={from} /> <span class="muted">{whenOf(at)}</span>{" "}
              <bdi>{visible(body.replace(/\s+/g, " "))}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
