import { query } from "../../core/screen/router.ts";

/** What of a board's talk is shown. */
export interface Filters {
  readonly from: string;
  readonly role: string;
  readonly task: string;
  readonly to_me: boolean;
  readonly q: string;
}

/** The filters of the address. Null if it has none. */
export function filtersNow(): Filters | null {
  const words = query.value;
  const word = (name: string) => words.get(name)?.trim() ?? "";
  const filters = {
    from: word("from"),
    role: word("role"),
    task: word("task"),
    to_me: words.has("to_me"),
    q: word("q"),
  };
  return Object.values(filters).some(Boolean) ? filters : null;
}
