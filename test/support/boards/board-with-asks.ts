import type { Client, Given } from "../../../src/client/client.ts";
import { startDocs } from "./docs-board-with-people.ts";
import { docs, personOnDocs, post, seatOnDocs } from "./docs-board.ts";

type Ask = NonNullable<NonNullable<Given<"postMessage">["body"]>["ask"]>;

/** Docs, which ana owns; bo and cy who are on it; ana's agents writer and second, and bo's agent scout. */
export async function startBoardWithAsks() {
  const { world, bo } = await startDocs();
  return {
    world,
    ana: world.admin,
    bo,
    cy: await personOnDocs(world, "cy"),
    writer: await seatOnDocs(world, "writer"),
    second: await seatOnDocs(world, "second"),
    scout: await world.seat(bo, "docs", { name: "scout" }),
  };
}

/** Asks on docs: with two options and blocking, unless said. */
export const askOn = (
  by: Client,
  to: string | undefined,
  { body = "Which?", ...ask }: Ask & { body?: string } = {},
) =>
  post(by, {
    body,
    ask: { options: ["this", "that"], ...ask },
    ...(to !== undefined && { to: [to] }),
  });

/** Answers an ask, with an option or in words. */
export const answerWith = (by: Client, ask: { id: string }, option?: number) =>
  post(by, { body: "So.", reply_to: ask.id, answer: option === undefined ? {} : { option } });

export const withdraw = (by: Client, ask: { id: string }) =>
  post(by, { body: "Never mind.", reply_to: ask.id, answer: { withdrawn: true } });

/** The ask of a message as a reader sees it now. */
export const askSeenBy = async (reader: Client, { id }: { id: string }) =>
  (await reader.call("getMessage", { params: { message: id } })).message.ask!;

/** What waits for a person on docs, or for an agent, whose board says nothing of it. */
export async function waitingFor(reader: Client) {
  const { needs_reply, asks_to_me } = await reader.call("getBoard", docs);
  return { needs_reply, asks_to_me };
}
