/** So many values of a kind are held at most. */
const mostShared = 1_000;

/** Makes what gives an equal value as the one that others have, so that it is in memory once. Two with one text are equal. */
export function sharing<T>(textOf: (value: T) => string): <V extends T>(value: V) => V {
  const held = new Map<string, T>();
  return <V extends T>(value: V) => {
    const text = textOf(value);
    const known = held.get(text);
    if (known !== undefined) return known as V;
    if (held.size >= mostShared) held.clear();
    held.set(text, value);
    return value;
  };
}
