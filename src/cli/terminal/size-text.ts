const units = ["kB", "MB", "GB"];

/** A number of bytes for people, such as `1.2 kB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  let value = bytes;
  let unit = "";
  for (const next of units) {
    if (unit && value < 999.5) break;
    value /= 1000;
    unit = next;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}
