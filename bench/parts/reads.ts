import { join } from "node:path";
import { measureIn } from "../child.ts";
import { alone, atLeast, compared, type Section } from "../figures.ts";
import { firstAnswer, freePort, start, stop } from "../processes.ts";
import { body } from "../raw.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { profileOfLoad } from "../profile.ts";
import { startService } from "../service.ts";
import { fill, makeDesk } from "../world.ts";
import { wrk, type Measured } from "../wrk.ts";
import { alternate, type Context } from "./part.ts";

interface Reads {
  rawPages: number;
  page: Measured;
  echo: Measured;
  inbox: Measured;
  fullInbox: Measured;
}

/** Pages of 50 messages and inboxes at 64 connections, beside a raw read with JSON and a bare validated echo. */
export async function measureReads(context: Context): Promise<Section> {
  const runs = await alternate(context.runs, () => readsOnce(context));
  const series = (what: string, of: (reads: Reads) => number) => ({ what, values: runs.map(of) });
  const echo = series("bare echo", ({ echo }) => echo.rate);
  return {
    title: "Reads",
    definitions: [
      "A page is the newest 50 of a board's 1,000 messages, read by a person at 64 connections.",
      "Raw page: the newest 50 messages of the raw schema's board of 1,000 joined to their senders, made into records of id, board, seq, at, from (name, kind, role, owner), to, body, reply_to and flags, and into JSON text; one loop, nothing serves it.",
      "Bare echo: Elysia alone, compiled, a JSON body of the size of a post validated and sent back, 64 connections.",
      "Inbox: `GET /v1/me/inbox` without `wait` at 64 connections, empty and with 50 messages waiting.",
    ],
    rows: [
      compared(
        "/s",
        series("pages of 50 messages", ({ page }) => page.rate),
        series("raw page + JSON", ({ rawPages }) => rawPages),
        {
          target: atLeast(0.7),
          profile: pages,
        },
      ),
      alone(
        "ms",
        series("page p50", ({ page }) => page.p50),
      ),
      alone(
        "ms",
        series("page p99", ({ page }) => page.p99),
      ),
      alone(
        "KB",
        series("size of a page", ({ page }) => page.bytes / 1000),
      ),
      compared(
        "/s",
        series("empty inbox", ({ inbox }) => inbox.rate),
        echo,
        {
          target: atLeast(0.25),
          profile: inboxes,
        },
      ),
      alone(
        "ms",
        series("empty inbox p50", ({ inbox }) => inbox.p50),
      ),
      alone(
        "ms",
        series("empty inbox p99", ({ inbox }) => inbox.p99),
      ),
      compared(
        "/s",
        series("inbox of 50 messages", ({ fullInbox }) => fullInbox.rate),
        echo,
      ),
    ],
  };
}

const pagePath = "?newest=true&limit=50";
const load = { connections: 64 };

async function readsOnce({ scratch, seconds, echoProgram }: Context): Promise<Reads> {
  const folder = folderIn(scratch, "reads");
  const service = await startService(folder);
  const desk = await makeDesk(service);
  const inboxUrl = `${service.url}/v1/me/inbox`;
  const readInbox = { ...load, url: inboxUrl, token: desk.agentToken };
  const readPage = { ...load, url: desk.url + pagePath, token: desk.token };
  const port = freePort();
  const echoUrl = `http://127.0.0.1:${port}`;
  const bare = start([echoProgram, String(port)]);
  await firstAnswer(echoUrl, performance.now(), bare);
  const echoed = { ...load, url: `${echoUrl}/echo`, body: { body, to: ["@reader"] } };

  await wrk({ ...echoed, seconds: 2 });
  await wrk({ ...readInbox, seconds: 2 });
  const echo = await wrk({ ...echoed, seconds });
  const inbox = await wrk({ ...readInbox, seconds });
  await fill(service, desk, 1000);
  await wrk({ ...readPage, seconds: 2 });
  const { rate: rawPages } = await measureIn<{ rate: number }>(
    "raw.ts",
    "pages",
    join(folder, "raw.db"),
    seconds,
  );
  const page = await wrk({ ...readPage, seconds });
  const fullInbox = await wrk({ ...readInbox, seconds });
  await Promise.all([stop(bare), service.stop()]);
  removeFolder(folder);
  return { rawPages, page, echo, inbox, fullInbox };
}

const pages = profileOfLoad("pages of 50 messages", async (service) => {
  const desk = await makeDesk(service);
  await fill(service, desk, 1000);
  await wrk({ ...load, url: desk.url + pagePath, token: desk.token, seconds: 5 });
});

const inboxes = profileOfLoad("empty inboxes", async (service) => {
  const { agentToken } = await makeDesk(service);
  await wrk({ ...load, url: `${service.url}/v1/me/inbox`, token: agentToken, seconds: 5 });
});
