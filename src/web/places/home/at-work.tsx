import { useEffect } from "preact/hooks";
import { agentsAtWork, lookWhoWorks } from "../../core/attention/at-work.ts";
import type { Member } from "../../core/boards/board.ts";
import { activeBoards } from "../../core/boards/overview.ts";
import { addressOf } from "../../core/screen/router.ts";
import { AgentState, harnessWords } from "../../parts/agent-state.tsx";
import { Icon } from "../../parts/icon.tsx";
import { useNarrow } from "../../parts/frame/panel.tsx";
import { Mark, Name, visible } from "../../parts/who.tsx";

/** Who works on the person's boards, beside home. On a phone it is one of home's parts. */
export function AtWork({ isShown }: { isShown: boolean }) {
  const { own, others, working, all } = agentsAtWork.value;
  const boardCount = activeBoards.value.length;
  useEffect(() => void lookWhoWorks(), [boardCount]);
  const isAlone = useNarrow() && isShown;
  return (
    <div
      class={isShown ? "panel opened" : "panel"}
      role={isAlone ? "main" : "complementary"}
      aria-label="Agents at work"
      data-f6
    >
      <div class="panel-h">
        <a class="ib only-phone" href="/" aria-label="Back to what needs you">
          <Icon name="back" />
        </a>
        {isAlone && <h1 class="vh">Agents at work</h1>}
        <h2>At work</h2>
        <span class="muted">
          {all === 1 ? `${working} of 1 agent` : `${working} of ${all} agents`}
        </span>
      </div>
      <div class="panel-b">
        <section class="sect">
          <h3>Yours</h3>
          {own.length === 0 ? (
            <p class="hint">
              None yet. <code>service invite --board BOARD</code> prints a line to paste into a
              session.
            </p>
          ) : (
            <List agents={own} isOwn />
          )}
        </section>
        {others.length > 0 && (
          <section class="sect">
            <h3>Other people’s</h3>
            <List agents={others} isOwn={false} />
          </section>
        )}
      </div>
    </div>
  );
}

const List = ({ agents, isOwn }: { agents: readonly Member[]; isOwn: boolean }) => (
  <ul class="agl">
    {agents.map((agent) => (
      <li class="ag2" key={agent.id}>
        <Mark of={agent} small />
        <div>
          <p>
            <Name of={agent} /> <AgentState agent={agent} isLong />
          </p>
          <p class="clip1">{doing(agent)}</p>
          <p class="hint">
            <a class="lnk0" href={addressOf(agent.board, "people")}>
              {agent.board}
            </a>
            {isOwn ? "" : ` · ${visible(agent.owner ?? "")}’s`}
            {harnessWords(agent)}
          </p>
        </div>
      </li>
    ))}
  </ul>
);

const doing = ({ line, current_task }: Member): string =>
  line?.text
    ? visible(line.text)
    : current_task
      ? `${current_task.ref} ${visible(current_task.title)}`
      : "No task";
