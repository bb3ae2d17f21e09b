/** Does something for each of a list, some of them at the same time. */
export async function inTurns<T, R>(
  list: readonly T[],
  work: (one: T, at: number) => Promise<R>,
  together = 8,
): Promise<R[]> {
  const done: R[] = [];
  let next = 0;
  const turn = async () => {
    for (let at = next++; at < list.length; at = next++) done[at] = await work(list[at]!, at);
  };
  await Promise.all(Array.from({ length: together }, turn));
  return done;
}
