/** A part of a board's log that is held without a hole: from one place to another, both of them in it. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The stretches, in their order, with another one. What touches becomes one. */
export function withStretch(all: readonly Stretch[], added: Stretch): readonly Stretch[] {
  let { from, to } = added;
  const apart: Stretch[] = [];
  for (const one of all)
    if (one.to + 1 < from || one.from > to + 1) apart.push(one);
    else {
      from = Math.min(from, one.from);
      to = Math.max(to, one.to);
    }
  return [...apart, { from, to }].sort((one, other) => one.from - other.from);
}

/** What of the stretches lies within one of the parts. */
export const cutTo = (all: readonly Stretch[], parts: readonly Stretch[]): readonly Stretch[] =>
  all.flatMap((one) =>
    parts
      .map((part) => ({ from: Math.max(one.from, part.from), to: Math.min(one.to, part.to) }))
      .filter(({ from, to }) => from <= to),
  );

/** Whether a place of the log lies in a stretch. */
export const holds = (all: readonly Stretch[], seq: number): boolean =>
  all.some(({ from, to }) => from <= seq && seq <= to);

/** The part of a page of messages in which other events lie: from the first hole between their numbers to the last. Null without one. */
export function holesOf(seqs: readonly number[], { from, to }: Stretch): Stretch | null {
  const inOrder = [Math.max(from, 1) - 1, ...seqs, to + 1];
  const before = inOrder.findIndex((seq, at) => inOrder[at + 1]! > seq + 1);
  if (before === -1) return null;
  const after = inOrder.findLastIndex((seq, at) => at > 0 && seq > inOrder[at - 1]! + 1);
  return { from: inOrder[before]! + 1, to: inOrder[after]! - 1 };
}
