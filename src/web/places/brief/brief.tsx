import { useState } from "preact/hooks";
import { followBrief } from "../../core/files/brief.ts";
import { draftAt } from "../../core/sending/drafts.ts";
import type { ShownFile } from "../../core/files/files.ts";
import { query, type BoardPlace } from "../../core/screen/router.ts";
import { whenOf } from "../../core/screen/time.ts";
import { Icon } from "../../parts/icon.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { Failed } from "../../parts/problem.tsx";
import { TabActs } from "../../parts/frame/tab-acts.tsx";
import { Name } from "../../parts/who.tsx";
import { mayWrite, useFollowed } from "../files/held.ts";
import { Read } from "../files/read.tsx";
import { useNarrow } from "../../parts/frame/panel.tsx";
import { briefAddress, Beside } from "./beside.tsx";
import { draftPlace, Writing } from "./writing.tsx";

/** The brief of a board: read, how fresh it is, its versions beside it, and writing the next one. */
export function Brief({ place: { board } }: { place: BoardPlace }) {
  const followed = useFollowed(() => followBrief(board), [board]);
  const [isWriting, setWriting] = useState(false);
  const isWide = !useNarrow();
  const state = followed.state.value;
  const brief = followed.value.value;
  if (!brief)
    return state instanceof Error ? (
      <Failed
        what="The brief could not be read."
        error={state}
        again={() => void followed.reload()}
      />
    ) : (
      <Bones what="the brief" />
    );
  const { file } = brief;
  if (isWriting)
    return (
      <Writing
        board={board}
        file={file}
        onClose={() => {
          setWriting(false);
          void followed.reload();
        }}
      />
    );
  const write = mayWrite(board) ? () => setWriting(true) : null;
  if (!file) return <None onWrite={write} />;
  const versions = query.value.get("versions");
  const hasPanel = versions === null ? isWide : versions === "on";
  const acts = (
    <>
      {!hasPanel && (
        <a class="b" href={briefAddress(board, true)}>
          Versions
        </a>
      )}
      {write && (
        <button class="b" type="button" onClick={write}>
          <Icon name="edit" small />
          {draftAt(draftPlace(board)).value.text
            ? "Go on writing"
            : `Write version ${file.latest.version + 1}`}
        </button>
      )}
    </>
  );
  return (
    <>
      <TabActs>{acts}</TabActs>
      <div class="strip brief-s">
        <Fresh file={file} />
        <span class="end only-phone">{acts}</span>
      </div>
      <Read key={file.latest.digest} file={file} version={file.latest} />
      {hasPanel && <Beside file={file} isWide={isWide} />}
    </>
  );
}

const counted = (count: number, one: string, many: string) => (
  <b>{count === 1 ? `1 ${one}` : `${count} ${many}`}</b>
);

/** Who wrote the newest version when, and what happened since. */
function Fresh({ file: { latest, freshness } }: { file: ShownFile }) {
  const since = [
    freshness.messages_since > 0 && counted(freshness.messages_since, "message", "messages"),
    freshness.tasks_done_since > 0 &&
      counted(freshness.tasks_done_since, "task closed", "tasks closed"),
    freshness.answers_since > 0 && counted(freshness.answers_since, "answer", "answers"),
  ].filter((one) => one !== false);
  return (
    <p class="fresh">
      <span>
        Version {latest.version} by <Name of={latest.by} />,{" "}
        <time dateTime={latest.at}>{whenOf(latest.at)}</time>.
      </span>
      <span>
        {since.length === 0
          ? "Nothing has happened since."
          : since.map((one, at) => (
              <span key={at}>
                {at === 0 ? "Since then " : ", "}
                {one}
              </span>
            ))}
        {since.length > 0 && "."}
      </span>
    </p>
  );
}

const None = ({ onWrite }: { onWrite: (() => void) | null }) => (
  <div class="blank">
    <Icon name="brief" />
    <h2>This board has no brief</h2>
    <p class="muted">
      Whoever reads only the brief knows what the board is about, what is decided, and what comes
      next. Agents read it when they join.
    </p>
    {onWrite && (
      <p class="act">
        <button class="b" type="button" onClick={onWrite}>
          Write the brief
        </button>
      </p>
    )}
  </div>
);
