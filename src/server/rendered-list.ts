declare const output: unique symbol;

/** An answer that is already JSON text, because its long part is cached as text. */
export interface Rendered<T> {
  readonly json: string;
  readonly [output]?: T;
}

const renderings = new WeakSet<object>();

/** Makes an answer from a list of JSON texts. `rest` has all other fields. */
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

/** Whether an answer is already JSON text. */
export const isRendered = (answer: unknown): answer is Rendered<unknown> =>
  renderings.has(answer as object);

/** The JSON text of an answer. */
export const jsonOf = (answer: unknown): string =>
  isRendered(answer) ? answer.json : JSON.stringify(answer);
