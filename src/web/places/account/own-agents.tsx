import { useEffect, useState } from "preact/hooks";
import type { OutputOf } from "../../../contract/index.ts";
import { api } from "../../core/connection/api.ts";
import { lookForAgents, ownAgents, type OwnAgent } from "../../core/boards/overview.ts";
import { addressOf, go } from "../../core/screen/router.ts";
import { session } from "../../core/connection/session.ts";
import { ageOf } from "../../core/screen/time.ts";
import { toast } from "../../core/screen/toasts.ts";
import { AgentState, harnessNamed } from "../../parts/agent-state.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Icon } from "../../parts/icon.tsx";
import { MenuButton } from "../../parts/menu.tsx";
import { sentenceOf } from "../../parts/problem.tsx";
import { Mark, Name, visible } from "../../parts/who.tsx";

type Pruned = OutputOf<"pruneAgents">["agents"];

/** How long an agent has had no session before it counts as idle, in seconds: ten days. */
const idleFor = 10 * 86_400;

/** The person's agents on all boards, and the removal of those that nobody runs any more. */
export function OwnAgents() {
  const [leaving, setLeaving] = useState<OwnAgent | null>(null);
  const agents = ownAgents.value.filter(({ status }) => status === "active");
  useEffect(lookForAgents, []);
  return (
    <section class="sect2" aria-labelledby="own-agents">
      <h2 id="own-agents">Your agents</h2>
      {agents.length === 0 ? (
        <p class="dim">
          None yet. Paste the join line of a board’s people into a session of Claude Code, Codex or
          opencode.
        </p>
      ) : (
        <div class="tblw">
          <table class="tbl stack-s">
            <thead>
              <tr>
                <th scope="col">Agent</th>
                <th scope="col">Board</th>
                <th scope="col">State</th>
                <th scope="col" class="hide-s">
                  Last session
                </th>
                <th scope="col" class="hide-s">
                  Since
                </th>
                <th scope="col">
                  <span class="vh">Menu</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {agents.map((agent) => (
                <Row key={agent.id} agent={agent} onRemove={() => setLeaving(agent)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Idle />
      {leaving && <Remove agent={leaving} onClose={() => setLeaving(null)} />}
    </section>
  );
}

/** Where a session ran: its harness, and for its own person the machine and the folder. */
function Session({ agent: { harness, location } }: { agent: OwnAgent }) {
  const parts = [harness && harnessNamed(harness), location?.machine && visible(location.machine)];
  return (
    <>
      {parts.filter(Boolean).join(", ")} {location && <code>{visible(location.folder)}</code>}
    </>
  );
}

const Row = ({ agent, onRemove }: { agent: OwnAgent; onRemove: () => void }) => (
  <tr>
    <td class="nowrap">
      <Mark of={agent} small /> <Name of={agent} />
    </td>
    <td>
      <a href={addressOf(agent.board)}>{agent.board}</a>
    </td>
    <td>
      <AgentState agent={agent} />
    </td>
    <td class="hide-s">
      <Session agent={agent} />
    </td>
    <td class="muted nowrap hide-s">{agent.presence_since && ageOf(agent.presence_since)}</td>
    <td class="r">
      <MenuButton
        label={`Menu of ${agent.name} on ${agent.board}`}
        items={[
          { label: "Its board", icon: "board", run: () => go(addressOf(agent.board)) },
          {
            label: "How messages reach it",
            icon: "bell",
            run: () => go(addressOf(agent.board, "people")),
          },
          { label: "Remove it…", icon: "x", isBad: true, isApart: true, run: onRemove },
        ]}
      >
        <Icon name="dots" />
      </MenuButton>
    </td>
  </tr>
);

function Remove({ agent, onClose }: { agent: OwnAgent; onClose: () => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      await api.call("removeAgent", { params: { board: agent.board, member: agent.id } });
      toast({ text: `${agent.name} is no longer on ${agent.board}` });
      lookForAgents();
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error));
      setBusy(false);
    }
  };
  return (
    <Confirm
      title={`Remove ${agent.name} from ${agent.board}?`}
      yes={`Remove ${agent.name}`}
      no="Keep it"
      isBad
      isBusy={isBusy}
      problem={problem}
      onYes={() => void remove()}
      onNo={onClose}
    >
      <p>
        Its seat ends for good and the name is not given out again. Its tasks are open again, and
        join codes that it made stop working. What it wrote stays.
      </p>
    </Confirm>
  );
}

const counted = (count: number): string => (count === 1 ? "1 agent" : `${count} agents`);

/** Agents that have had no session for ten days, which can be removed together. */
function Idle() {
  const [found, setFound] = useState<Pruned>([]);
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const look = () => {
    if (session.value!.person.server_role === "guest") return;
    const body = { disconnected_for: idleFor, dry_run: true };
    // Without an answer nothing is offered.
    void api.call("pruneAgents", { body }).then(
      ({ agents }) => setFound(agents),
      () => {},
    );
  };
  useEffect(look, []);
  if (found.length === 0) return null;
  const remove = async () => {
    try {
      const agents = found.map(({ id }) => id);
      const done = await api.call("pruneAgents", { body: { disconnected_for: idleFor, agents } });
      toast({ text: `Removed ${counted(done.agents.length)}` });
      setAsking(false);
      lookForAgents();
      look();
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <p class="foot">
      {found.length === 1 ? "1 has" : `${found.length} have`} had no session for ten days.{" "}
      <button class="lnk" type="button" onClick={() => setAsking(true)}>
        Remove what is idle…
      </button>
      {isAsking && (
        <Confirm
          title={`Remove ${counted(found.length)}?`}
          yes="Remove"
          no="Keep"
          isBad
          problem={problem}
          onYes={() => void remove()}
          onNo={() => setAsking(false)}
        >
          <ul>
            {found.map(({ id, name, board }) => (
              <li key={id}>
                <b class="who a">{visible(name ?? "an agent")}</b> on {board ?? "a private board"}
              </li>
            ))}
          </ul>
          <p>
            Their seats end for good and the names are not given out again. What they wrote stays.
            Who has come back meanwhile is kept.
          </p>
        </Confirm>
      )}
    </p>
  );
}
