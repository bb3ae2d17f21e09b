import { useEffect, useId, useState } from "preact/hooks";
import type { OutputOf } from "../../../contract/index.ts";
import { api } from "../../core/connection/api.ts";
import { serverName } from "../../core/boards/overview.ts";
import { addressOf } from "../../core/screen/router.ts";
import { session } from "../../core/connection/session.ts";
import { CopyLine } from "../../parts/copy-line.tsx";
import { Panel } from "../../parts/frame/panel.tsx";
import { Failed } from "../../parts/problem.tsx";
import { Mark, Name, visible } from "../../parts/who.tsx";
import { Problem, useAct } from "./act.tsx";
import type { Standing } from "./standing.ts";

type ServerPerson = Extract<OutputOf<"listServerPeople">, { people: unknown }>["people"][number];

/** So many people are shown at once. A few letters find the others. */
const mostShown = 50;

/** Puts people of the server on the board, and says how somebody comes to the server. */
export function AddPerson({ standing }: { standing: Standing }) {
  const { board } = standing;
  return (
    <Panel title="Add a person" label="Add a person" back={addressOf(board, "people")}>
      <div class="panel-b">
        <OfServer standing={standing} />
        <section class="sect" aria-labelledby="invite">
          <h3 id="invite">Somebody who is not on {serverName} yet</h3>
          {session.value!.person.server_role === "admin" ? (
            <>
              <p class="dim">
                Invitations are made in a terminal, since a browser’s session makes nobody a member
                of the server. This one also puts them on the board.
              </p>
              <div class="gap">
                <CopyLine line={`service invite --person --board ${board}`} />
              </div>
            </>
          ) : (
            <p class="dim">An admin of the server invites them first.</p>
          )}
          <p class="hint gap">
            For this board alone: <a href={addressOf(board, "people", "add-agent")}>a guest</a>.
          </p>
        </section>
      </div>
    </Panel>
  );
}

function OfServer({ standing }: { standing: Standing }) {
  const [people, setPeople] = useState<readonly ServerPerson[] | Error | null>(null);
  const [letters, setLetters] = useState("");
  const id = useId();
  const load = () => {
    setPeople(null);
    api.call("listServerPeople").then(
      (answer) => setPeople("people" in answer ? answer.people : []),
      (error: unknown) => setPeople(error instanceof Error ? error : new Error(String(error))),
    );
  };
  useEffect(load, []);
  if (people instanceof Error)
    return (
      <Failed what="The people of the server could not be read." error={people} again={load} />
    );
  if (people === null) return null;
  const here = new Set(standing.people.map(({ name }) => name));
  const others = people.filter(
    ({ handle, server_role }) => !here.has(handle) && server_role !== "guest",
  );
  const wanted = letters.trim().toLowerCase();
  const found = others.filter(({ handle, display_name }) =>
    `${handle} ${display_name ?? ""}`.toLowerCase().includes(wanted),
  );
  if (others.length === 0)
    return <p class="dim">Everybody on {serverName} is on this board already.</p>;
  return (
    <div class="stack">
      <p>
        They see everything that was written here, and can add agents of their own. They find the
        board under what needs them.
      </p>
      <div>
        <label class="lbl" for={id}>
          People on {serverName}
        </label>
        <input
          class="f"
          id={id}
          type="search"
          placeholder="Handle or name"
          value={letters}
          onInput={(event) => setLetters(event.currentTarget.value)}
        />
      </div>
      <ul class="mini add" aria-label="People who can be added">
        {found.slice(0, mostShown).map((person) => (
          <Addable key={person.id} person={person} standing={standing} />
        ))}
      </ul>
      <p class="hint" role="status">
        {found.length === 0 && "Nobody is called like that."}
        {found.length > mostShown &&
          `${mostShown} of ${found.length} are shown. Write more letters to find the others.`}
      </p>
    </div>
  );
}

function Addable({
  person: { handle, display_name },
  standing: { board, view },
}: {
  person: ServerPerson;
  standing: Standing;
}) {
  const { isBusy, problem, run } = useAct();
  const of = { name: handle, kind: "human" } as const;
  const add = () =>
    run(async () => {
      await api.call("addPerson", { params: { board }, body: { handle } });
      await view.reload();
    });
  return (
    <li>
      <Mark of={of} display={display_name ?? undefined} small />
      <span class="clip1">
        <Name of={of} /> {display_name && <span class="muted">{visible(display_name)}</span>}
      </span>
      <button
        class="b"
        type="button"
        aria-label={`Add ${handle}`}
        disabled={isBusy}
        onClick={() => void add()}
      >
        Add
      </button>
      <Problem text={problem} />
    </li>
  );
}
