import { useEffect, useState } from "preact/hooks";
import type { OutputOf } from "../../../contract/index.ts";
import { api } from "../../core/connection/api.ts";
import { session } from "../../core/connection/session.ts";
import { longDay } from "../../core/screen/time.ts";
import { CopyLine } from "../../parts/copy-line.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { Failed } from "../../parts/problem.tsx";
import { Mark, visible } from "../../parts/who.tsx";

type Listed = Extract<OutputOf<"listServerPeople">, { people: unknown }>["people"];

/** Everybody on the server. A guest does not see them. */
export function People() {
  const isGuest = session.value!.person.server_role === "guest";
  const [people, setPeople] = useState<Listed | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  const load = () => {
    setProblem(null);
    api.call("listServerPeople").then((found) => {
      if ("people" in found) setPeople(found.people);
    }, setProblem);
  };
  useEffect(() => {
    if (!isGuest) load();
  }, []);
  if (isGuest) return null;
  return (
    <section class="sect2" aria-labelledby="server-people">
      <div class="h-row">
        <h2 id="server-people">People of this server</h2>
        {people && <span class="muted">{people.length}</span>}
      </div>
      {problem !== null && (
        <Failed what="The people could not be read." error={problem} again={load} />
      )}
      {people ? <Table people={people} /> : problem === null && <Bones what="the people" />}
      <Terminal />
    </section>
  );
}

const Table = ({ people }: { people: Listed }) => (
  <div class="tblw">
    <table class="tbl">
      <thead>
        <tr>
          <th scope="col">Person</th>
          <th scope="col">Role</th>
          <th scope="col" class="hide-s">
            Here since
          </th>
        </tr>
      </thead>
      <tbody>
        {people.map(({ id, handle, display_name, server_role, created_at }) => (
          <tr key={id}>
            <td>
              <Mark of={{ name: handle, kind: "human" }} small />{" "}
              <b class="who">
                <bdi>{visible(handle)}</bdi>
              </b>{" "}
              {display_name && (
                <span class="muted">
                  <bdi>{visible(display_name)}</bdi>
                </span>
              )}
            </td>
            <td>{server_role}</td>
            <td class="muted hide-s">{longDay(created_at)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** What only an admin's terminal can do. */
function Terminal() {
  if (session.value!.person.server_role !== "admin") return null;
  return (
    <div class="stack gap">
      <p class="dim">Invite somebody, from a terminal with your key:</p>
      <CopyLine line="service invite --person" />
      <p class="dim">Make somebody an admin, rename or remove them:</p>
      <CopyLine line="service help people" />
    </div>
  );
}
