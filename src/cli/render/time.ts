/** A timestamp in this machine's time zone, to the minute. */
export function when(timestamp: string): string {
  const date = new Date(timestamp);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
}
