import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OutputOf } from "../../../contract/index.ts";
import { api } from "../../core/connection/api.ts";
import { keepBoard } from "../../core/boards-acts.ts";
import type { BoardInfo } from "../../core/boards/board.ts";
import { serverName } from "../../core/boards/overview.ts";
import { addressOf, go } from "../../core/screen/router.ts";
import { counted } from "../../core/screen/words.ts";
import { contentsOf, DeleteBoard } from "../../parts/frame/delete-board.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { useAct } from "./act.tsx";
import { codesOf, type Code } from "./held.ts";
import type { Standing } from "./standing.ts";

/** What a dialog about the whole board needs. */
interface AboutBoard {
  readonly standing: Standing;
  readonly info: BoardInfo;
  onClose(): void;
}

/** The dialog that the address asks for, if the reader may do that. */
export function Lifecycle({ act, standing, info }: Omit<AboutBoard, "onClose"> & { act: string }) {
  const onClose = () => go(addressOf(standing.board, "people"), { replace: true });
  const { isOwner } = standing;
  const isActive = info.lifecycle === "active";
  const about = { standing, info, onClose };
  if (act === "archive" && isActive && info.can_archive) return <Archive {...about} />;
  if (act === "restore" && !isActive && info.can_restore) return <Restore {...about} />;
  if (act === "delete" && !isActive && info.can_delete)
    return <DeleteBoard name={standing.board} onEnd={onClose} />;
  if (act === "open" && isOwner && isActive && info.visibility === "private")
    return <Visibility {...about} to="open" />;
  if (act === "private" && isOwner && info.visibility === "open")
    return <Visibility {...about} to="private" />;
  return null;
}

/** The codes of a board that work now, as far as the reader sees them. */
function useCodes({ board }: Standing): readonly Code[] {
  const [codes, setCodes] = useState<readonly Code[]>([]);
  useEffect(() => {
    // The dialog says less where they cannot be read.
    codesOf(board).then(setCodes, () => {});
  }, []);
  return codes;
}

function Archive({ standing, onClose }: AboutBoard) {
  const { board, view } = standing;
  const { isBusy, problem, run } = useAct();
  const codes = useCodes(standing);
  const archive = async () => {
    const isDone = await run(async () => {
      await keepBoard("archiveBoard", board);
      await view.reload();
    });
    if (isDone) onClose();
  };
  return (
    <Confirm
      title={`Archive ${board}?`}
      yes={`Archive ${board}`}
      no="Keep it in use"
      isBusy={isBusy}
      problem={problem}
      onYes={() => void archive()}
      onNo={onClose}
    >
      <p>
        <b>Ends:</b> nothing is written to it any more, and nobody joins it.
        {codes.length > 0 &&
          ` ${counted(codes.length, "join code waits", "join codes wait")} until it is restored, or until it is over.`}
      </p>
      <p>
        <b>Stays:</b> {contentsOf(standing.view)}. All of it can be read and searched, and the board
        can be restored at any time.
      </p>
    </Confirm>
  );
}

function Restore({ standing, onClose }: AboutBoard) {
  const { board, view } = standing;
  const { isBusy, problem, run } = useAct();
  const restore = async () => {
    const isDone = await run(async () => {
      await keepBoard("restoreBoard", board);
      await view.reload();
    });
    if (isDone) onClose();
  };
  return (
    <Confirm
      title={`Restore ${board}?`}
      yes={`Restore ${board}`}
      no="Leave it archived"
      isBusy={isBusy}
      problem={problem}
      onYes={() => void restore()}
      onNo={onClose}
    >
      <p>
        It can be written to again, by {counted(standing.people.length, "person", "people")} and{" "}
        {counted(standing.agents.length, "agent", "agents")}. Join codes that are not over work
        again. Whoever was removed or left does not come back by this.
      </p>
    </Confirm>
  );
}

type Planned = OutputOf<"setVisibility">;

/** Opens the board or makes it private. The server says before what that reveals and ends. */
function Visibility({ standing, onClose, to }: AboutBoard & { to: "open" | "private" }) {
  const { board, view } = standing;
  const [planned, setPlanned] = useState<Planned | null>(null);
  const { isBusy, problem, run } = useAct();
  const set = (dry_run: boolean) =>
    api.call("setVisibility", { params: { board }, body: { visibility: to, dry_run } });
  useEffect(() => {
    void run(async () => setPlanned(await set(true)));
  }, []);
  const change = async () => {
    const isDone = await run(async () => {
      await set(false);
      await view.reload();
    });
    if (isDone) onClose();
  };
  const isOpening = to === "open";
  return (
    <Confirm
      title={isOpening ? `Open ${board} to everybody?` : `Make ${board} private?`}
      yes={isOpening ? `Open ${board}` : "Make it private"}
      no={isOpening ? "Keep it private" : "Keep it open"}
      isBad={isOpening}
      // What would happen is shown before it can be done.
      isBusy={isBusy || planned === null}
      problem={problem}
      onYes={() => void change()}
      onNo={onClose}
    >
      {planned && (isOpening ? <Reveals {...planned} /> : <Closes {...planned} />)}
    </Confirm>
  );
}

function Reveals({ reveals }: Planned): ComponentChildren {
  const { messages = 0, files = 0 } = reveals ?? {};
  return (
    <>
      <p>
        <b>Everybody on {serverName}</b> may join it, and then reads all of it:{" "}
        {counted(messages, "message", "messages")} and {counted(files, "file", "files")}, also those
        from before.
      </p>
      <p>Making it private again later does not take back what was read.</p>
    </>
  );
}

function Closes({ join_codes_canceled: codes }: Planned): ComponentChildren {
  return (
    <>
      <p>
        <b>Ends:</b> nobody finds it or joins it by themselves any more, and agents may not add
        people.
        {codes > 0 &&
          ` ${counted(codes, "join code stops", "join codes stop")} working, of everybody.`}
      </p>
      <p>
        <b>Stays:</b> whoever is on it now, with their agents and everything that was written.
      </p>
    </>
  );
}
