/** The most bytes of a line. The largest text file that a tool writes takes 1.5 MiB with every character escaped. */
const longestLine = 8 * 1024 * 1024;

/**
 * Passes on what comes, but of a line only its first 8 MiB: what is left of a message then is no JSON, and is dropped. The
 * library would close its transport at 10 MiB, and the process would neither answer nor end. `note` hears of each such line.
 */
export async function* shortLines(
  input: AsyncIterable<Uint8Array>,
  note: (problem: string) => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of input)
    for (let start = 0; start < bytes.length;) {
      const feed = bytes.indexOf(10, start);
      const end = feed === -1 ? bytes.length : feed;
      const room = Math.max(0, longestLine - size);
      if (size <= longestLine && end - start > room)
        note("a line is longer than 8 MiB, and was dropped");
      yield bytes.subarray(start, Math.min(end, start + room));
      if (feed !== -1) yield bytes.subarray(feed, feed + 1);
      size = feed === -1 ? size + end - start : 0;
      start = end + 1;
    }
}
