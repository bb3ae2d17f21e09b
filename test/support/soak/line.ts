/** How much the line through some values rises from one to the next, as a part of what they are on average. */
export function riseOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [together, apart] = [0, 0];
  for (const [at, value] of values.entries()) {
    together += (at - middle) * (value - mean);
    apart += (at - middle) ** 2;
  }
  return together / apart / mean;
}
