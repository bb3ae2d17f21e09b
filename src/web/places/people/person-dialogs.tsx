import { useEffect, useState } from "preact/hooks";
import { api } from "../../core/connection/api.ts";
import { leaveBoard } from "../../core/boards-acts.ts";
import type { Member } from "../../core/boards/board.ts";
import { go } from "../../core/screen/router.ts";
import { toast } from "../../core/screen/toasts.ts";
import { counted, listed } from "../../core/screen/words.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { useAct } from "./act.tsx";
import { heldWords } from "./agent-dialogs.tsx";
import { codesOf, heldBy, madeBy, openTasksOf, type Code, type HeldTask } from "./held.ts";
import { agentsOf, type Standing } from "./standing.ts";

/** A dialog about one person. */
interface AboutPerson {
  readonly person: Member;
  readonly standing: Standing;
  onClose(): void;
}

/** Makes a person an owner of the board. */
export function MakeOwner({ person, standing, onClose }: AboutPerson) {
  const { board, view } = standing;
  const { isBusy, problem, run } = useAct();
  const make = async () => {
    const isDone = await run(async () => {
      await api.call("addOwner", { params: { board }, body: { handle: person.name } });
      await view.reload();
    });
    if (isDone) onClose();
  };
  return (
    <Confirm
      title={`Make ${person.name} an owner of ${board}?`}
      yes="Make an owner"
      no="Leave it"
      isBusy={isBusy}
      problem={problem}
      onYes={() => void make()}
      onNo={onClose}
    >
      <p>
        Owners change the rules, open the board or make it private, and remove people and their
        agents. Nobody can take that back from {person.name} but by removing them.
      </p>
    </Confirm>
  );
}

/** What ends with a person's membership, as the server counts it. */
function useEnding({ person, standing }: Pick<AboutPerson, "person" | "standing">) {
  const [tasks, setTasks] = useState<readonly HeldTask[]>([]);
  const [codes, setCodes] = useState<readonly Code[]>([]);
  const agents = agentsOf(standing, person);
  useEffect(() => {
    // The dialog says less where they cannot be read.
    void openTasksOf(standing.board).then(setTasks, () => {});
    if (!standing.isGuest) void codesOf(standing.board).then(setCodes, () => {});
  }, []);
  const members = [person, ...agents];
  return { agents, tasks: heldBy(tasks, members), codes: madeBy(codes, members) };
}

/** What ends and what stays, for a person who goes. */
function Ending({ agents, tasks, codes, whose }: ReturnType<typeof useEnding> & { whose: string }) {
  return (
    <>
      <p>
        {agents.length === 0
          ? `${whose} membership ends.`
          : `${whose} ${counted(agents.length, "agent ends", "agents end")} here for good: ${listed(agents.map(({ name }) => name))}.`}
        {heldWords(tasks)}
        {codes.length > 0 &&
          ` ${counted(codes.length, "join code", "join codes")} ${codes.length === 1 ? "stops" : "stop"} working.`}
      </p>
      <p>Everything that was written stays. Nothing is taken out of the record.</p>
    </>
  );
}

/** Removes a person from the board. */
export function RemovePerson({ person, standing, onClose }: AboutPerson) {
  const { board, view } = standing;
  const { isBusy, problem, run } = useAct();
  const ending = useEnding({ person, standing });
  const remove = async () => {
    const params = { board, handle: person.name };
    const isDone = await run(async () => {
      await api.call("removePerson", { params });
      await view.reload();
    });
    if (!isDone) return;
    onClose();
    toast({ text: `${person.name} is no longer on ${board}.` });
  };
  return (
    <Confirm
      title={`Remove ${person.name} from ${board}?`}
      yes={`Remove ${person.name}`}
      no="Keep them"
      isBad
      isBusy={isBusy}
      problem={problem}
      onYes={() => void remove()}
      onNo={onClose}
    >
      <Ending {...ending} whose="Their" />
      {standing.view.info.value?.visibility === "open" && (
        <p class="dim">The board is open: they can join it again by themselves.</p>
      )}
    </Confirm>
  );
}

/** Leaves the board, as the person who is signed in. */
export function LeaveBoard({ person, standing, onClose }: AboutPerson) {
  const { board } = standing;
  const { isBusy, problem, run } = useAct();
  const ending = useEnding({ person, standing });
  const isOpen = standing.view.info.value?.visibility === "open";
  const leave = async () => {
    if (await run(() => leaveBoard(board))) go("/");
  };
  return (
    <Confirm
      title={`Leave ${board}?`}
      yes={`Leave ${board}`}
      no="Stay"
      isBad
      isBusy={isBusy}
      problem={problem}
      onYes={() => void leave()}
      onNo={onClose}
    >
      <Ending {...ending} whose="Your" />
      <p class="dim">
        {isOpen
          ? "The board is open: you can join it again."
          : "The board is private: you come back only if somebody adds you."}
      </p>
    </Confirm>
  );
}
