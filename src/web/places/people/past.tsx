import { useEffect, useState } from "preact/hooks";
import { api } from "../../core/connection/api.ts";
import type { Member } from "../../core/boards/board.ts";
import { counted } from "../../core/screen/words.ts";
import { momentOf } from "../../core/screen/time.ts";
import { Mark, Name, visible } from "../../parts/who.tsx";
import type { Standing } from "./standing.ts";

/** The agents whose seat on the board has ended. */
export function Past({ standing }: { standing: Standing }) {
  const [past, setPast] = useState<readonly Member[]>([]);
  const { board, agents } = standing;
  useEffect(() => {
    // A list that cannot be read is not shown.
    api.call("listMembers", { params: { board }, query: { removed: true } }).then(
      ({ members }) => setPast(members.filter(({ status }) => status !== "active")),
      () => {},
    );
  }, [board, agents.length]);
  if (past.length === 0) return null;
  return (
    <details class="past">
      <summary>{counted(past.length, "agent that left", "agents that left")}</summary>
      <ul class="mini">
        {past.map((agent) => (
          <li key={agent.id} class="inl">
            <Mark of={agent} small /> <Name of={agent} />{" "}
            <span class="muted">
              {[agent.owner && `${visible(agent.owner)}’s`, endWords(agent)]
                .filter(Boolean)
                .join(" · ")}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

const byWhom: Partial<Record<string, string>> = {
  person: "removed by its person",
  board_owner: "removed by an owner of the board",
  admin: "removed by an admin",
};

const endWords = ({ removed_by, removed_at, status }: Member): string =>
  [
    (removed_by && byWhom[removed_by]) ?? (status === "left" ? "left" : "removed"),
    removed_at && momentOf(removed_at),
  ]
    .filter(Boolean)
    .join(", ");
