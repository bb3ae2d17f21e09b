import type { Handler } from "../handler.ts";

/** Shows the figures. Counts of the tables that are old are renewed for the next look. */
export const getNumbers: Handler<"getNumbers"> = (tx, _standing, _input, { numbers }) => {
  void numbers.count();
  return { at: tx.now, ...numbers.now() };
};
