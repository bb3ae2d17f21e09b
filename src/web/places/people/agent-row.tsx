import { useState } from "preact/hooks";
import type { Member } from "../../core/boards/board.ts";
import { api } from "../../core/connection/api.ts";
import { addressOf } from "../../core/screen/router.ts";
import { toast } from "../../core/screen/toasts.ts";
import { AgentState } from "../../parts/agent-state.tsx";
import { Icon } from "../../parts/icon.tsx";
import { MenuButton, type MenuItem } from "../../parts/menu.tsx";
import { sentenceOf } from "../../parts/problem.tsx";
import { Mark, Name, visible } from "../../parts/who.tsx";
import { DeliveryDialog, LineDialog, RemoveAgent } from "./agent-dialogs.tsx";
import { isMine, type Standing } from "./standing.ts";
import { modeWords } from "./words.ts";

type Dialog = "delivery" | "working" | "paused" | "remove";

/** An agent: what it does, where it runs if it is the reader's own, and what the reader may do about it. */
export function AgentRow({ agent, standing }: { agent: Member; standing: Standing }) {
  const [open, setOpen] = useState<Dialog | null>(null);
  const items = itemsFor(agent, standing, setOpen);
  const about = [agent.harness, agent.role].filter(Boolean).map((word) => visible(word!));
  const close = () => setOpen(null);
  return (
    <li class="ag">
      <Mark of={agent} />
      <div>
        <p>
          <Name of={agent} />
        </p>
        <p class="hint">{about.join(" · ")}</p>
      </div>
      <div class="ln2">
        <p class="l1">
          <AgentState agent={agent} isLong />
          <Doing agent={agent} board={standing.board} />
        </p>
        <p>
          <Where agent={agent} />
          {agent.delivery_mode && modeWords(agent.delivery_mode)}
        </p>
      </div>
      {items.length > 0 && (
        <MenuButton label={`Menu of ${agent.name}`} items={items}>
          <Icon name="dots" />
        </MenuButton>
      )}
      {open === "delivery" && <DeliveryDialog agent={agent} standing={standing} onClose={close} />}
      {(open === "working" || open === "paused") && (
        <LineDialog agent={agent} kind={open} standing={standing} onClose={close} />
      )}
      {open === "remove" && <RemoveAgent agent={agent} standing={standing} onClose={close} />}
    </li>
  );
}

/** What an agent says that it does, and the task that it is on. */
function Doing({ agent: { line, current_task }, board }: { agent: Member; board: string }) {
  const task = line?.task ?? current_task;
  if (!task && !line) return null;
  return (
    <span class="clip1">
      {task && (
        <>
          <a class="ref" href={addressOf(board, "tasks", task.ref)}>
            <Icon name="t-prog" />
            {task.ref}
          </a>{" "}
        </>
      )}
      {/* A line that starting a task set says no more than its title. */}
      <bdi>{visible(line?.text ?? task?.title ?? "")}</bdi>
    </span>
  );
}

/** The machine and the folder of an agent. The server tells them to its person alone. */
function Where({ agent: { location } }: { agent: Member }) {
  if (!location) return null;
  return (
    <>
      {location.machine && `${visible(location.machine)}, `}
      <code>{visible(location.folder)}</code> ·{" "}
    </>
  );
}

/** What the reader may do about an agent. What would be refused is not among it. */
function itemsFor(
  agent: Member,
  { board, view, isGuest, isArchived }: Standing,
  open: (dialog: Dialog) => void,
): readonly MenuItem[] {
  const mayWrite = isMine(agent) && !isArchived;
  const clear = () =>
    void api
      .call("clearMemberLine", { params: { board, member: agent.name } })
      .then(view.reload)
      .catch((error: unknown) => toast({ text: sentenceOf(error), isError: true }));
  const items: (MenuItem | false | undefined)[] = [
    isMine(agent) &&
      !isGuest && { label: "What wakes it…", icon: "bell", run: () => open("delivery") },
    mayWrite && { label: "Say what it does…", icon: "edit", run: () => open("working") },
    mayWrite && { label: "Pause it…", icon: "clock", run: () => open("paused") },
    mayWrite &&
      agent.line !== null && {
        label: agent.line.kind === "paused" ? "End its pause" : "Clear its line",
        icon: "x",
        run: clear,
      },
    agent.can_remove && {
      label: "Remove it…",
      icon: "leave",
      isBad: true,
      isApart: isMine(agent),
      run: () => open("remove"),
    },
  ];
  return items.filter((item) => typeof item === "object");
}
