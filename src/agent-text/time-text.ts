import { counted } from "./counted.ts";

/** A timestamp in this machine's time zone, to the minute. */
export function when(timestamp: string): string {
  const date = new Date(timestamp);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** A length of time in words, to its largest unit, such as `5 minutes`. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  const [unit, length] = units.find(([, one]) => seconds >= one) ?? (["second", 1] as const);
  return counted(Math.round(seconds / length), unit, `${unit}s`);
}
