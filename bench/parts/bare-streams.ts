import { firstAnswer, freePort, start, stop } from "../processes.ts";

/** What a stream of the service gets for one post: the bytes that the bare server sends. */
export const eventText =
  'event: head\ndata: {"board":"board-1","board_id":"brd_01J0000000000000000000000A","seq":205}\n\n' +
  'event: unread\ndata: {"board":"board-1","board_id":"brd_01J0000000000000000000000A","read_up_to":103,"unread":2}\n\n';

/** Starts `bench/bare-streams.ts`. */
export async function startBareStreams() {
  const port = freePort();
  const script = new URL("../bare-streams.ts", import.meta.url).pathname;
  const bare = start([process.execPath, script, eventText, String(port)]);
  await firstAnswer(`http://127.0.0.1:${port}/ready`, performance.now(), bare);
  return { pid: bare.pid, port, stop: () => stop(bare) };
}
