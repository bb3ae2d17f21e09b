import { useEffect, useState } from "preact/hooks";
import { api } from "../../core/connection/api.ts";
import { fileAddress } from "../../core/files/file-view.ts";
import type { FileVersion, ShownFile } from "../../core/files/files.ts";
import { addressOf } from "../../core/screen/router.ts";
import type { Message } from "../../core/talk/talk.ts";
import { isClosed, taskListOf } from "../../core/tasks/tasks.ts";
import { whenOf } from "../../core/screen/time.ts";
import { Icon } from "../../parts/icon.tsx";
import { Panel } from "../../parts/frame/panel.tsx";
import { TaskLink } from "../../parts/text/references.tsx";
import { keyOf, Name, named, visible } from "../../parts/who.tsx";

/** The address of the brief with or without what stands beside it. Null leaves that to the width of the window. */
export const briefAddress = (board: string, versions: boolean | null): string =>
  addressOf(board, "brief") + (versions === null ? "" : `?versions=${versions ? "on" : "off"}`);

/** The versions of the brief, and what was decided and closed since the newest. */
export function Beside({ file, isWide }: { file: ShownFile; isWide: boolean }) {
  return (
    <Panel
      label="About the brief"
      title={
        <>
          Versions <span class="muted num">{file.versions.length}</span>
        </>
      }
      back={briefAddress(file.board, isWide ? false : null)}
    >
      <div class="panel-b">
        <ol class="vers">
          {file.versions.map((version) => (
            <Version key={version.version} file={file} version={version} />
          ))}
        </ol>
        <Decided file={file} />
        <Closed file={file} />
      </div>
    </Panel>
  );
}

function Version({ file, version }: { file: ShownFile; version: FileVersion }) {
  const { board, name, latest, approvals } = file;
  const number = version.version;
  const isNewest = number === latest.version;
  return (
    <li {...(isNewest && { "aria-current": "true" })}>
      <span class="v">{number}</span>
      <div>
        <p class="meta">
          <span>
            <Name of={version.by} /> <time dateTime={version.at}>{whenOf(version.at)}</time>
          </span>
          {!isNewest && <a href={fileAddress(board, name, { version: number })}>read</a>}
          {number > 1 && (
            <a
              href={fileAddress(board, name, {
                view: "changes",
                from: number - 1,
                version: number,
              })}
            >
              changes
            </a>
          )}
        </p>
        {approvals
          .filter((one) => one.version === number)
          .map(({ person, at }) => (
            <p class="meta" key={keyOf(person)}>
              <span class="ok">
                <Icon name="check" small />
                <span>
                  <bdi>{named(person)}</bdi>, {whenOf(at)}
                </span>
              </span>
            </p>
          ))}
      </div>
    </li>
  );
}

/** So many of the newest decisions are looked through. */
const most = 50;

/** Asks that were answered since the newest version. */
function Decided({ file: { board, latest, freshness } }: { file: ShownFile }) {
  const [asks, setAsks] = useState<readonly Message[]>([]);
  useEffect(() => {
    let isOver = false;
    if (freshness.answers_since > 0)
      api.call("listAsks", { query: { board, state: "answered", limit: most } }).then(
        (page) => !isOver && setAsks(page.asks),
        () => {},
      );
    return () => {
      isOver = true;
    };
  }, [board, freshness.answers_since]);
  const since = asks.filter(({ ask }) => (ask?.answer_seq ?? 0) > latest.seq);
  if (since.length === 0) return null;
  return (
    <section class="sect">
      <h3>Decided since version {latest.version}</h3>
      <ul class="mini">
        {since.map(({ id, seq, body, ask }) => {
          const option = ask?.answer_option ? ask.options[ask.answer_option - 1] : undefined;
          return (
            <li key={id}>
              <a href={addressOf(board, "message", ask?.answer_seq ?? seq)}>
                <Icon name="check" small /> {option && <b>{visible(option)} </b>}
                <span class="muted">
                  <bdi>{visible(body.replace(/\s+/g, " "))}</bdi>
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Tasks that were closed since the newest version. */
function Closed({ file: { board, latest } }: { file: ShownFile }) {
  const since = taskListOf(board).tasks.value.filter(
    (task) =>
      isClosed(task) && Date.parse(task.closed_at ?? task.updated_at) >= Date.parse(latest.at),
  );
  if (since.length === 0) return null;
  return (
    <section class="sect">
      <h3>Closed since version {latest.version}</h3>
      <ul class="mini">
        {since.map(({ id, ref, title }) => (
          <li key={id}>
            <TaskLink board={board} reference={ref} /> <bdi>{visible(title)}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}
