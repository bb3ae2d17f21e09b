import { useEffect } from "preact/hooks";
import { ApiError } from "../../core/connection/api.ts";
import { hasText } from "../../core/files/file-bytes.ts";
import { fileAddress, viewIn, type FileView, type View } from "../../core/files/file-view.ts";
import { followFile, type FileVersion, type ShownFile } from "../../core/files/files.ts";
import { useKeys } from "../../core/screen/keys.ts";
import { addressOf, go, query } from "../../core/screen/router.ts";
import { Icon } from "../../parts/icon.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { useNarrow } from "../../parts/frame/panel.tsx";
import { Failed } from "../../parts/problem.tsx";
import { TaskLink } from "../../parts/text/references.tsx";
import { visible } from "../../parts/who.tsx";
import { FileMenu } from "./acts.tsx";
import { DropFiles, Uploads } from "./adding.tsx";
import { ApprovalBars } from "./approval-bar.tsx";
import { Changes } from "./changes.tsx";
import { addFiles, mayWrite, useFollowed } from "./held.ts";
import { Read } from "./read.tsx";
import { Source } from "./source.tsx";
import { VersionsPanel } from "./versions.tsx";
import type { Followed } from "../../core/boards/followed.ts";

/** One file: what a version of it holds, what changed, and its versions beside it. */
export function OneFile({ board, item }: { board: string; item: string }) {
  const followed = useFollowed(() => followFile(board, item), [board, item]);
  const file = followed.value.value;
  const state = followed.state.value;
  const name = file?.isRemoved ? item : (file?.name ?? item);
  useEffect(() => {
    // Renamed, or called by its id: the address says the name that it has.
    if (file && name !== item)
      go(fileAddress(board, name, viewIn(query.peek())), { replace: true });
  }, [name, item]);
  if (state instanceof ApiError && state.code === "file_not_found")
    return <NoFile board={board} item={item} />;
  if (state instanceof Error)
    return (
      <Failed
        what="The file could not be read."
        error={state}
        again={() => void followed.reload()}
      />
    );
  if (!file) return <Bones what="the file" />;
  return <Shown file={file} followed={followed} />;
}

const NoFile = ({ board, item }: { board: string; item: string }) => (
  <div class="blank">
    <Icon name="file" />
    <h2>
      There is no file <span class="mono">{visible(item)}</span>
    </h2>
    <p class="dim">
      It may have been renamed or removed. Messages still lead to what they brought.
    </p>
    <p class="act">
      <a class="b" href={addressOf(board, "files")}>
        All files of {board}
      </a>
    </p>
  </div>
);

/** The version of a number, or the newest. */
const versionIn = ({ versions }: ShownFile, number: number | null): FileVersion | undefined =>
  number === null ? versions[0] : versions.find(({ version }) => version === number);

/** The version that another one is compared with: the one that the person approved, if it is older, else the one before. */
const comparedWith = ({ mine }: ShownFile, version: number): number =>
  mine && mine.version < version ? mine.version : Math.max(1, version - 1);

function Shown({ file, followed }: { file: ShownFile; followed: Followed<ShownFile> }) {
  const { board, name, latest } = file;
  const at = viewIn(query.value);
  const isWide = !useNarrow();
  const version = versionIn(file, at.version);
  const shownNumber = version?.version ?? latest.version;
  const from = at.from ?? comparedWith(file, shownNumber);
  const to = (change: Partial<FileView>) =>
    fileAddress(board, file.isRemoved ? file.id : name, { ...at, ...change });
  const step = (by: number) => {
    const next = shownNumber + by;
    if (next < 1 || next > latest.version) return;
    const compared = at.view === "changes" ? { from: Math.max(1, next - 1) } : {};
    go(to({ version: next, ...compared }), { replace: true });
  };
  useKeys({ "[": () => step(-1), "]": () => step(1) });
  const canWrite = mayWrite(board) && !file.isRemoved;
  const isBrief = name === "brief.md" || name === "brief.html";
  const take = (files: readonly File[]) =>
    addFiles(board, files.slice(0, 1), { name, base: latest.version, file_id: file.id });
  const views: readonly (readonly [View, string])[] = [
    ["read", "Read"],
    ...(version && hasText(name, version)
      ? ([
          ["changes", "Changes"],
          ["source", "Source"],
        ] as const)
      : []),
  ];
  const addressOfView = (view: View) =>
    view === "changes"
      ? to({ view, version: shownNumber, from: file.versions.length > 1 ? from : null })
      : to({ view, from: null, version: at.version });
  const hasPanel = at.versions ?? isWide;
  return (
    <>
      <div class="file-bar">
        <a class="ib" href={addressOf(board, "files")} aria-label="All files">
          <Icon name="back" />
        </a>
        <h2 class="mono">
          <bdi>{visible(name)}</bdi>
        </h2>
        <About file={file} />
        <div class="end inl">
          {!hasPanel && (
            <a class="b" href={to({ versions: true })}>
              Version {shownNumber}
            </a>
          )}
          <div class="seg" role="group" aria-label="View">
            {views.map(([view, words]) => (
              <button
                key={view}
                type="button"
                aria-pressed={at.view === view}
                onClick={() => go(addressOfView(view), { replace: true })}
              >
                {words}
              </button>
            ))}
          </div>
          <FileMenu file={file} canWrite={canWrite && !isBrief} />
        </div>
      </div>
      <ApprovalBars file={file} />
      {file.isRemoved && (
        <div class="strip">
          <Icon name="warn" />
          <span>
            This file was removed. Its versions can be read here and from the messages that brought
            them.
          </span>
        </div>
      )}
      {version && version !== file.versions[0] && at.view !== "changes" && (
        <div class="strip">
          <Icon name="clock" />
          <span>
            This is version {version.version}. The newest is{" "}
            <a href={to({ version: null, from: null })}>version {latest.version}</a>.
          </span>
        </div>
      )}
      {canWrite && !isBrief && (
        <DropFiles take={take} words={`Let go to make it version ${latest.version + 1}`} />
      )}
      <Uploads board={board} />
      {!version && at.view !== "changes" ? (
        <NoVersion
          file={file}
          number={at.version ?? 0}
          newest={to({ version: null, from: null })}
        />
      ) : at.view === "changes" || !version ? (
        <Changes
          file={file}
          from={from}
          to={at.version ?? shownNumber}
          choose={(older, newer) =>
            go(to({ view: "changes", from: older, version: newer }), { replace: true })
          }
        />
      ) : at.view === "source" ? (
        <Source key={version.digest} file={file} version={version} />
      ) : (
        <Read key={version.digest} file={file} version={version} />
      )}
      {hasPanel && (
        <VersionsPanel
          file={file}
          followed={followed}
          shown={shownNumber}
          to={to}
          isWide={isWide}
          canWrite={canWrite && !isBrief}
          take={take}
        />
      )}
    </>
  );
}

function About({ file: { board, maintained, about } }: { file: ShownFile }) {
  if (!maintained && about.length === 0) return null;
  return (
    <span class="muted nowrap hide-s">
      {maintained && "kept current"}
      {maintained && about.length > 0 && ", "}
      {about.length > 0 && "about "}
      {about.map(({ id, ref }) => (
        <TaskLink key={id} board={board} reference={ref} />
      ))}
    </span>
  );
}

const NoVersion = ({
  file,
  number,
  newest,
}: {
  file: ShownFile;
  number: number;
  newest: string;
}) => (
  <div class="blank">
    <Icon name="file" />
    <h2>
      {visible(file.name)} has no version {number}
    </h2>
    <p class="dim">Its newest is version {file.latest.version}.</p>
    <p class="act">
      <a class="b" href={newest}>
        Show version {file.latest.version}
      </a>
    </p>
  </div>
);
