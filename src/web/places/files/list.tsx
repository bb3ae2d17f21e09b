import { useState } from "preact/hooks";
import { sentenceOf } from "../../core/connection/problems.ts";
import { addressOf } from "../../core/screen/router.ts";
import { formOf } from "../../core/files/file-bytes.ts";
import { approvalsAskedFor, followFiles, isOwn, type FileRecord } from "../../core/files/files.ts";
import { whenOf } from "../../core/screen/time.ts";
import { toast } from "../../core/screen/toasts.ts";
import { sizeOf } from "../../parts/composer/composer-files.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { Failed } from "../../parts/problem.tsx";
import { TaskLink } from "../../parts/text/references.tsx";
import { TabActs } from "../../parts/frame/tab-acts.tsx";
import { Mark, Name, named, visible } from "../../parts/who.tsx";
import { fileAddress } from "../../core/files/file-view.ts";
import { useRowKeys } from "./row-keys.ts";
import { ChooseFiles, DropFiles, Uploads } from "./adding.tsx";
import { addFiles, mayWrite, useFollowed } from "./held.ts";

/** The files of a board: those that are kept current, then the others. */
export function FileList({ board }: { board: string }) {
  const followed = useFollowed(() => followFiles(board), [board]);
  const rows = useRowKeys();
  const found = followed.value.value;
  const state = followed.state.value;
  const take = (files: readonly File[]) => addFiles(board, files);
  const canWrite = mayWrite(board);
  const chooser = <ChooseFiles words="Add files" take={take} many />;
  const kept = found?.files.filter(({ maintained }) => maintained) ?? [];
  const others = found?.files.filter(({ maintained }) => !maintained) ?? [];
  return (
    <>
      {canWrite && <TabActs>{chooser}</TabActs>}
      {canWrite && <DropFiles take={take} words={`Let go to add them to ${board}`} />}
      <div class="page" ref={rows}>
        {canWrite && found && found.files.length > 0 && <div class="only-phone">{chooser}</div>}
        <Uploads board={board} />
        {state instanceof Error && (
          <Failed
            what="The files could not be read."
            error={state}
            again={() => void followed.reload()}
          />
        )}
        {state === "loading" && <Bones what="the files" />}
        {found?.files.length === 0 && <Empty canWrite={canWrite} take={take} />}
        {found && found.files.length > 0 && (
          <>
            <div class="tblw">
              <table class="tbl stack-s">
                <thead>
                  <tr>
                    <th scope="col">Name</th>
                    <th scope="col">Version</th>
                    <th scope="col">By</th>
                    <th scope="col">When</th>
                    <th scope="col" class="hide-s">
                      Approved
                    </th>
                    <th scope="col" class="hide-s r">
                      Size
                    </th>
                    <th scope="col" class="hide-s">
                      About
                    </th>
                  </tr>
                </thead>
                {kept.length > 0 && <Group title="Kept current" isPinned files={kept} />}
                {others.length > 0 && (
                  <Group
                    title={kept.length > 0 ? "The others, newest first" : "Newest first"}
                    files={others}
                  />
                )}
              </table>
            </div>
            {found.more && <ShowMore showMore={followed.showMore} />}
            {canWrite && (
              <p class="foot">Drop files anywhere on this page to add them, 50 MiB each at most.</p>
            )}
          </>
        )}
      </div>
    </>
  );
}

function ShowMore({ showMore }: { showMore: () => Promise<void> }) {
  const [isLoading, setLoading] = useState(false);
  const load = () => {
    if (isLoading) return;
    setLoading(true);
    showMore()
      .catch((error: unknown) => toast({ text: sentenceOf(error), isError: true }))
      .finally(() => setLoading(false));
  };
  return (
    <p class="act">
      <button class="b q" type="button" aria-busy={isLoading} onClick={load}>
        Show more
      </button>
    </p>
  );
}

function Empty({ canWrite, take }: { canWrite: boolean; take: (files: readonly File[]) => void }) {
  return (
    <div class="blank">
      <Icon name="file" />
      <h2>No files yet</h2>
      <p class="dim">
        What everybody works on belongs here: every version stays, with who wrote it and who
        approved it.
      </p>
      {canWrite && (
        <p class="act">
          <ChooseFiles words="Add the first file" take={take} many />
        </p>
      )}
    </div>
  );
}

function Group({
  title,
  files,
  isPinned = false,
}: {
  title: string;
  files: readonly FileRecord[];
  isPinned?: boolean;
}) {
  return (
    <tbody>
      <tr class="tg">
        <th colSpan={7} scope="rowgroup">
          {isPinned && <Icon name="pin" small />} {title}
        </th>
      </tr>
      {files.map((file) => (
        <Row key={file.id} file={file} />
      ))}
    </tbody>
  );
}

function Row({ file }: { file: FileRecord }) {
  const { board, id, name, latest } = file;
  const isBrief = name === "brief.md" || name === "brief.html";
  const isAsked = approvalsAskedFor(board, id).length > 0;
  return (
    <tr>
      <td>
        <Icon name={formOf(name, latest) === "picture" ? "eye" : "file"} small />{" "}
        <a class="bn mono" href={isBrief ? addressOf(board, "brief") : fileAddress(board, name)}>
          <bdi>{visible(name)}</bdi>
        </a>{" "}
        {isAsked && <span class="hold you">approve it</span>}
      </td>
      <td class="num mono">v{latest.version}</td>
      <td class="nowrap">
        <Mark of={latest.by} small /> <Name of={latest.by} />
      </td>
      <td class="nowrap muted">
        <time dateTime={latest.at}>{whenOf(latest.at)}</time>
      </td>
      <td class="hide-s">
        <Approved file={file} />
      </td>
      <td class="hide-s muted r nowrap">{sizeOf(latest.size)}</td>
      <td class="hide-s">
        {file.about.map(({ id: task, ref }) => (
          <TaskLink key={task} board={board} reference={ref} />
        ))}
      </td>
    </tr>
  );
}

/** Who has approved a file. Approvals of the newest version count; those of older ones are said to be that. */
function Approved({ file: { approvals, latest } }: { file: FileRecord }) {
  if (approvals.length === 0) return <span class="muted">nobody</span>;
  const names = (of: typeof approvals) =>
    of.map((one) => (isOwn(one) ? "you" : named(one.person))).join(" and ");
  const current = approvals.filter(({ version }) => version === latest.version);
  if (current.length > 0)
    return (
      <span class="ok">
        <Icon name="check" small />
        {names(current)}
      </span>
    );
  const newest = Math.max(...approvals.map(({ version }) => version));
  return (
    <span class="muted">
      {names(approvals.filter(({ version }) => version === newest))}, version {newest}
    </span>
  );
}
