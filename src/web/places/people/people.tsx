import { boardOf } from "../../core/boards/board.ts";
import { addressOf, query, type BoardPlace } from "../../core/screen/router.ts";
import { TabActs } from "../../parts/frame/tab-acts.tsx";
import { Bones } from "../../parts/frame/lazily.tsx";
import { AddAgent } from "./add-agent.tsx";
import { AddPerson } from "./add-person.tsx";
import { CharterSection } from "./charter.tsx";
import { House } from "./house.tsx";
import { Lifecycle } from "./lifecycle.tsx";
import { Past } from "./past.tsx";
import { RecordSection } from "./record-section.tsx";
import { agentsOf, mayAddTo, standingOn, type Standing } from "./standing.ts";

/** Who is on a board with which agents, what the board is for, and whether its record holds. */
export function People({ place }: { place: BoardPlace }) {
  const view = boardOf(place.board);
  const info = view.info.value;
  if (!info) return view.state.value === "loading" ? <Bones what="people" /> : null;
  const standing = standingOn(view);
  const mayAdd = mayAddTo(standing);
  const act = query.value.get("do");
  return (
    <>
      {mayAdd && (
        <TabActs>
          <AddButtons board={place.board} />
        </TabActs>
      )}
      <div class="page" tabIndex={-1}>
        <div class="col">
          {/* The end of the tabs has no room on a phone. */}
          {mayAdd && (
            <p class="inl add-s">
              <AddButtons board={place.board} />
            </p>
          )}
          {inOrder(standing).map((person) => (
            <House key={person.id} person={person} standing={standing} />
          ))}
          <Past standing={standing} />
          <CharterSection standing={standing} info={info} />
          <RecordSection info={info} />
        </div>
      </div>
      {mayAdd && place.item === "add-agent" && <AddAgent standing={standing} info={info} />}
      {mayAdd && place.item === "add-person" && <AddPerson standing={standing} />}
      {act && <Lifecycle act={act} standing={standing} info={info} />}
    </>
  );
}

const AddButtons = ({ board }: { board: string }) => (
  <>
    <a class="b" href={addressOf(board, "people", "add-agent")}>
      Add an agent
    </a>
    <a class="b" href={addressOf(board, "people", "add-person")}>
      Add a person
    </a>
  </>
);

/** The reader first, then those who have agents here, then the others: each group as they joined. */
function inOrder(standing: Standing) {
  const rank = (person: Standing["people"][number]) =>
    person.id === standing.me?.id ? 0 : agentsOf(standing, person).length > 0 ? 1 : 2;
  return [...standing.people].sort((one, other) => rank(one) - rank(other));
}
