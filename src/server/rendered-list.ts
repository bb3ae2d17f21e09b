declare const output: unique symbol;

/** An answer that is JSON text already: its long part is kept from one answer to the next. */
export interface Rendered<T> {
  readonly json: string;
  readonly [output]?: T;
}

const renderings = new WeakSet<object>();

/** Makes an answer whose list is JSON text already: `rest` is all of it but the list. */
export function renderedWith<T, K extends keyof T & string>(
  rest: Omit<T, K>,
  list: K,
  texts: readonly string[],
): Rendered<T> {
  const rendering = {
    json: `${JSON.stringify(rest).slice(0, -1)},"${list}":[${texts.join(",")}]}`,
  };
  renderings.add(rendering);
  return rendering;
}

/** Whether an answer is JSON text already. */
export const isRendered = (answer: unknown): answer is Rendered<unknown> =>
  renderings.has(answer as object);

/** The JSON text of an answer. */
export const jsonOf = (answer: unknown): string =>
  isRendered(answer) ? answer.json : JSON.stringify(answer);
