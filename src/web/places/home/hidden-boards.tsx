import { useState } from "preact/hooks";
import { keepBoard } from "../../core/boards-acts.ts";
import { hiddenBoards, type HiddenBoard } from "../../core/boards/overview.ts";
import { sentenceOf } from "../../core/connection/problems.ts";
import { longDay } from "../../core/screen/time.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { visible } from "../../parts/who.tsx";

const acts = {
  archiveBoard: {
    words: "Archive",
    title: "Archive this private board?",
    effect: "It can still be read by those who are on it, and nothing is written to it any more.",
  },
  restoreBoard: {
    words: "Restore",
    title: "Restore this private board?",
    effect: "Those who are on it can write to it again.",
  },
  deleteBoard: {
    words: "Delete for good",
    title: "Delete this private board for good?",
    effect:
      "Everybody loses it: its messages, tasks and files. Its seats and join codes end. It cannot be restored, and its name is not given out again.",
  },
} as const;
type Act = keyof typeof acts;

/** The private boards that an admin is not on: whose they are, and what keeps them. No name and nothing of what is in them. */
export function HiddenBoards() {
  const [asked, setAsked] = useState<{ board: HiddenBoard; act: Act } | null>(null);
  return (
    <>
      <ul class="short-l">
        {hiddenBoards.value.map((board) => (
          <li key={board.id}>
            <span class="grow">
              A board of <b class="who">{visible(board.created_by.handle)}</b>, made on{" "}
              {longDay(board.created_at)},{" "}
              {board.people === 1 ? "1 person" : `${board.people} people`}
              {board.lifecycle === "archived" && ", archived"}
            </span>
            {actsOf(board).map((act) => (
              <button class="b q" type="button" key={act} onClick={() => setAsked({ board, act })}>
                {acts[act].words}…
              </button>
            ))}
          </li>
        ))}
      </ul>
      {asked && <Asked {...asked} onEnd={() => setAsked(null)} />}
    </>
  );
}

const actsOf = ({ can_archive, can_restore, can_delete, lifecycle }: HiddenBoard): Act[] =>
  lifecycle === "active"
    ? can_archive
      ? ["archiveBoard"]
      : []
    : [
        ...(can_restore ? ["restoreBoard" as const] : []),
        ...(can_delete ? ["deleteBoard" as const] : []),
      ];

function Asked({ board, act, onEnd }: { board: HiddenBoard; act: Act; onEnd: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { title, words, effect } = acts[act];
  return (
    <Confirm
      title={title}
      yes={words}
      no="No"
      isBad={act === "deleteBoard"}
      isBusy={isBusy}
      problem={problem}
      onNo={onEnd}
      onYes={() => {
        setBusy(true);
        keepBoard(act, board.id).then(onEnd, (error: unknown) => {
          setBusy(false);
          setProblem(sentenceOf(error));
        });
      }}
    >
      <p>{effect}</p>
    </Confirm>
  );
}
