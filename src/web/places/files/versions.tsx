import { useState } from "preact/hooks";
import { approve } from "../../core/files/file-acts.ts";
import type { FileView } from "../../core/files/file-view.ts";
import { isOwn, type FileVersion, type ShownFile } from "../../core/files/files.ts";
import type { Followed } from "../../core/boards/followed.ts";
import type { Message } from "../../core/talk/talk.ts";
import { whenOf } from "../../core/screen/time.ts";
import { sizeOf } from "../../parts/composer/composer-files.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Panel } from "../../parts/frame/panel.tsx";
import { addressOf } from "../../core/screen/router.ts";
import { keyOf, Name, named } from "../../parts/who.tsx";
import { BringBack, SaveVersion } from "./acts.tsx";
import { ChooseFiles } from "./adding.tsx";
import { mayWrite } from "./held.ts";
import { firstWords, Posted, useMessages } from "./posted.tsx";

interface Props {
  readonly file: ShownFile;
  readonly followed: Followed<ShownFile>;
  /** The version that is shown. */
  readonly shown: number;
  readonly to: (change: Partial<FileView>) => string;
  readonly isWide: boolean;
  readonly canWrite: boolean;
  readonly take: (files: readonly File[]) => void;
}

/** So many of the newest versions are told by words. */
const mostTold = 12;

/** Where a version was posted first. */
const firstOf = ({ posted_in }: ShownFile, version: number) =>
  posted_in.filter((one) => one.version === version).sort((one, other) => one.seq - other.seq)[0];

/** The versions of a file beside it, with who wrote and approved them, and where it was posted. */
export function VersionsPanel({ file, followed, shown, to, isWide, canWrite, take }: Props) {
  const version = file.versions.find((one) => one.version === shown) ?? file.versions[0];
  // A version is told by the words with which it was first posted.
  const postings = file.versions
    .slice(0, mostTold)
    .map((one) => firstOf(file, one.version)?.message_id)
    .filter((id) => id !== undefined);
  const messages = useMessages(postings);
  return (
    <Panel
      label="Versions"
      title={
        <>
          Versions <span class="muted num">{file.versions.length}</span>
        </>
      }
      back={to({ versions: isWide ? false : null })}
      end={version && <SaveVersion file={file} version={version} />}
    >
      <div class="panel-b">
        <ol class="vers">
          {file.versions.map((one) => (
            <Version
              key={one.version}
              file={file}
              version={one}
              canWrite={canWrite}
              message={messages.get(firstOf(file, one.version)?.message_id ?? "")}
              isShown={one.version === shown}
              address={to({
                view: "read",
                version: one.version === file.latest.version ? null : one.version,
                from: null,
              })}
            />
          ))}
        </ol>
        {version && <Approving file={file} version={version} followed={followed} />}
        {canWrite && (
          <section class="sect">
            <h3>Write version {file.latest.version + 1}</h3>
            <p class="dim">Choose a file, or drop it anywhere on this page.</p>
            <p class="act">
              <ChooseFiles words="Choose a file" take={take} />
            </p>
          </section>
        )}
        <Posted file={file} />
        <Since file={file} />
      </div>
    </Panel>
  );
}

function Version({
  file,
  version,
  isShown,
  canWrite,
  address,
  message,
}: {
  file: ShownFile;
  version: FileVersion;
  /** The message that brought it. */
  message: Message | undefined;
  isShown: boolean;
  canWrite: boolean;
  address: string;
}) {
  const [isAsking, setAsking] = useState(false);
  const approvals = file.approvals.filter((one) => one.version === version.version);
  const isNewest = version.version === file.latest.version;
  const canBring = file.isRemoved ? isNewest && mayWrite(file.board) : canWrite && !isNewest;
  return (
    <li {...(isShown && { "aria-current": "true" })}>
      <span class="v">{version.version}</span>
      <div>
        {message && <p>{firstWords(message)}</p>}
        <p class="meta">
          <span>
            <Name of={version.by} /> <time dateTime={version.at}>{whenOf(version.at)}</time>
          </span>
          <span>{sizeOf(version.size)}</span>
          {message && <a href={addressOf(file.board, "message", message.seq)}>#{message.seq}</a>}
          {!isShown && (
            <a href={address}>
              show<span class="vh"> version {version.version}</span>
            </a>
          )}
          {canBring && (
            <button class="lnk0" type="button" onClick={() => setAsking(true)}>
              bring back<span class="vh"> version {version.version}</span>
            </button>
          )}
        </p>
        {approvals.length > 0 && (
          <p class="meta">
            {approvals.map((one) => (
              <span class="ok" key={keyOf(one.person)}>
                <Icon name="check" small />
                {isOwn(one) ? "you" : named(one.person)}, {whenOf(one.at)}
              </span>
            ))}
          </p>
        )}
      </div>
      {isAsking && <BringBack file={file} version={version} onEnd={() => setAsking(false)} />}
    </li>
  );
}

const changes = (count: number): string => `${count} ${count === 1 ? "change" : "changes"}`;

/** The person's own approval: which version has it, what came since, and how it is given or taken back. */
function Approving({
  file,
  version,
  followed,
}: {
  file: ShownFile;
  version: FileVersion;
  followed: Followed<ShownFile>;
}) {
  const { mine } = file;
  const canApprove = mayWrite(file.board) && !file.isRemoved;
  if (!mine && !canApprove) return null;
  return (
    <section class="sect" aria-labelledby="approval">
      <h3 id="approval">Your approval</h3>
      <p>
        {!mine
          ? "You have approved no version."
          : mine.changes_since > 0
            ? `Yours: version ${mine.version}, ${changes(mine.changes_since)} since.`
            : `Yours: version ${mine.version}, the newest.`}
      </p>
      {canApprove && (
        <p class="act">
          {mine?.version !== version.version && (
            <button class="b" type="button" onClick={() => void approve(followed, file, version)}>
              <Icon name="check" small />
              Approve version {version.version}
            </button>
          )}
          {mine && (
            <button class="b q" type="button" onClick={() => void approve(followed, file, null)}>
              Take it back
            </button>
          )}
        </p>
      )}
    </section>
  );
}

const counted = (count: number, one: string, many: string): string =>
  `${count === 0 ? "no" : count} ${count === 1 || count === 0 ? one : many}`;

/** What happened on the board since the newest version. */
function Since({ file: { freshness, latest, board } }: { file: ShownFile }) {
  const { messages_since, tasks_done_since, answers_since } = freshness;
  const words = [
    counted(messages_since, "message", "messages"),
    counted(tasks_done_since, "task done", "tasks done"),
    counted(answers_since, "answer", "answers"),
  ].join(", ");
  return (
    <section class="sect">
      <h3>Since version {latest.version}</h3>
      <p class="dim">
        {words[0]!.toUpperCase() + words.slice(1)}. <a href={addressOf(board)}>Talk</a>
      </p>
    </section>
  );
}
