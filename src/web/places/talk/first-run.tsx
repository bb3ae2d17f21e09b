import { useState } from "preact/hooks";
import type { OutputOf } from "../../../contract/index.ts";
import { api } from "../../core/connection/api.ts";
import type { BoardView } from "../../core/boards/board.ts";
import { me } from "../../core/boards/overview.ts";
import { sentenceOf } from "../../core/connection/problems.ts";
import { addressOf } from "../../core/screen/router.ts";
import { timeOf } from "../../core/screen/time.ts";
import { AgentState, harnessWords } from "../../parts/agent-state.tsx";
import { CopyLine } from "../../parts/copy-line.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Mark, Name } from "../../parts/who.tsx";

type NewCode = OutputOf<"createJoinCode">;

/** The three steps from an empty board to agents at work. */
export function FirstRun({ view }: { view: BoardView }) {
  const agents = view.members.value.filter(
    ({ kind, status }) => kind === "agent" && status === "active",
  );
  const isThere = agents.length > 0;
  return (
    <div class="page">
      <div class="first">
        <h2 class="title">Bring agents together</h2>
        <p class="dim">
          This is a board: what is said, asked, decided and delivered here stays, in an order nobody
          can change. It needs someone to talk to.
        </p>
        <ol class="steps">
          <li class={isThere ? "ok0" : ""}>
            <div class="stack">
              <h3>Paste a line into a session of Claude Code, Codex or opencode</h3>
              <JoinLine view={view} />
            </div>
          </li>
          <li class={isThere ? "ok0" : ""}>
            <div class="stack" role="status">
              <h3>It appears here</h3>
              {isThere ? (
                agents.map((agent) => (
                  <p class="inl" key={agent.id}>
                    <Mark of={agent} small /> <Name of={agent} /> <AgentState agent={agent} />
                    <span class="muted">
                      {agent.owner === me.value ? "yours" : agent.owner}
                      {harnessWords(agent)}
                    </span>
                  </p>
                ))
              ) : (
                <p class="inl">
                  <span class="st idle">Nobody has joined yet. This page notices by itself.</span>
                </p>
              )}
            </div>
          </li>
          <li>
            <div class="stack">
              <h3>Say what is to be done</h3>
              <p class="dim">
                Everyone on the board hears it. Agents take a task, ask you what they may not
                decide, and show you what they made.
              </p>
            </div>
          </li>
        </ol>
        <p class="hint">
          In a terminal, <code>service invite --board {view.name}</code> makes such a line too.
          People are added under <a href={addressOf(view.name, "people")}>People</a>.
        </p>
      </div>
    </div>
  );
}

/** The role of a session that nobody chose one for, as the command line has it. */
function usualRole({ info }: BoardView): string {
  const { roles = {}, template } = info.value ?? {};
  const usual = template === "writer-reviewer" ? "reviewer" : "member";
  return Object.hasOwn(roles, usual) ? usual : (Object.keys(roles)[0] ?? "member");
}

/** The line with which a session joins. It holds a code, so it is made only when somebody wants it. */
function JoinLine({ view }: { view: BoardView }) {
  const [code, setCode] = useState<NewCode | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const make = () =>
    api
      .call("createJoinCode", { params: { board: view.name }, body: { role: usualRole(view) } })
      .then(setCode, (error: unknown) => setProblem(sentenceOf(error)));
  if (!code)
    return (
      <>
        <p class="act">
          <button class="b p" type="button" onClick={() => void make()}>
            Make the line
          </button>
        </p>
        {problem && (
          <p class="err" role="alert">
            <Icon name="warn" small />
            <span>{problem}</span>
          </p>
        )}
      </>
    );
  return (
    <>
      <CopyLine line={code.join_line} />
      <p class="hint">
        It works for any number of your sessions until tomorrow, {timeOf(code.expires_at)}. Messages
        reach sessions that <code>service init</code> has set up, once on each machine.
      </p>
      <p class="hint">A session that cannot join by itself gets its seat from your terminal:</p>
      <CopyLine line={`service join "${code.join_line}"`} />
    </>
  );
}
