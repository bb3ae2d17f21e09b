import { expect } from "bun:test";
import { startWorld } from "../servers/server-in-process.ts";
import { makeDocs, personOnDocs } from "./docs-board.ts";
import { ask, stored, type Asking, type Heard } from "../raw-requests.ts";

/** Docs with a message, and a way to send what must be refused with one of these verdicts and leave no trace. */
export async function startUntouched() {
  const world = await startWorld();
  const { id: board } = await makeDocs(world, { title: "Docs" });
  await personOnDocs(world, "bo");
  const params = { board: "docs" };
  const message = await world.admin.call("postMessage", { params, body: { body: "first" } });
  const seat = await world.seat(world.admin, "docs", { name: "writer" });
  await seat.call("getMe");
  const send = (line: string, asking: Asking = {}) =>
    ask(world, line, { token: world.admin.token, ...asking });
  const before = await stored(world);
  /** Checks that a request is refused as said, in the one shape, and that nothing at all was written. */
  async function refused(
    line: string,
    asking: Asking,
    verdict = "400 invalid_request",
  ): Promise<Heard> {
    const heard = await send(line, asking);
    expect({ line, body: shown(asking.body), verdict: heard.verdict }).toEqual({
      line,
      body: shown(asking.body),
      verdict,
    });
    expect(await stored(world)).toEqual(before);
    world.check();
    return heard;
  }
  return { world, board, message, seat, send, refused };
}
const shown = (body: unknown) =>
  String(typeof body === "object" ? JSON.stringify(body) : body).slice(0, 80);
