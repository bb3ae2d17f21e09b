import type { Api } from "./api.ts";
import type { Operations } from "../../contract/index.ts";
import type { Input, Output } from "../../contract/operation.ts";
import { pages } from "./pages.ts";

type List = Output<Operations["listBoards"]>;
type Scope = Pick<Input<Operations["listBoards"]>["query"], "all" | "lifecycle">;

/** Reads all pages of the short list of boards. Charters and roles do not travel, however many boards there are. */
export async function shortList(api: Pick<Api, "call">, scope: Scope = {}) {
  const boards: List["boards"] = [];
  const hidden: NonNullable<List["hidden_boards"]> = [];
  const read = (after: string | undefined) =>
    api.call("listBoards", {
      query: { ...scope, form: "short", ...(after !== undefined && { after }) },
    });
  for await (const page of pages<List, string | undefined>(undefined, read, ({ next }) => next)) {
    boards.push(...page.boards);
    hidden.push(...(page.hidden_boards ?? []));
  }
  return { boards, hidden_boards: hidden };
}
