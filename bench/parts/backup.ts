import { connect, requestText } from "../drivers/http.ts";
import { atMost, compared, alone, type Section } from "../figures.ts";
import { folderIn, removeFolder } from "../scratch.ts";
import { startService, type RunningService } from "../service.ts";
import { percentiles } from "../stats.ts";
import { fill, makeDesk, post, type Desk } from "../world.ts";
import { alternate, type Context } from "./part.ts";

const messages = 100_000;
const files = 100;
const connections = 8;
/** Pause of a connection after each answer, in milliseconds. */
const pauseMs = 20;

/** Posts while backups are made one after another, beside posts while none is. */
export async function measureBackup(context: Context): Promise<Section> {
  const folder = folderIn(context.scratch, "backup");
  const service = await startService(folder);
  const desk = await makeDesk(service);
  await fill(service, desk, messages);
  for (let number = 0; number < files; number++)
    await service.client.upload(
      { params: { board: desk.board }, query: { name: `file-${number}` } },
      new Blob([crypto.getRandomValues(new Uint8Array(65_536)), `${number}`]),
    );
  const seconds = context.seconds * 2;
  const runs = await alternate(context.runs, async (number) => {
    const without = await posts(service, desk, seconds);
    const backups = { made: 0, isOver: false };
    const backing = backUp(service, `run-${number}`, backups);
    const during = await posts(service, desk, seconds);
    backups.isOver = true;
    await backing;
    return { without, during, made: backups.made };
  });
  await service.stop();
  removeFolder(folder);
  return {
    title: "Posts during a backup",
    definitions: [
      `A server with ${messages.toLocaleString("en")} messages and ${files} files makes one backup after another, each copied and verified, while ${connections} connections post at a pace that leaves the processor time to spare (a pause of ${pauseMs} ms after each answer). Beside it the same posts without a backup, in turn. On a machine with two processors the load generator, the server and the process that copies share them.`,
    ],
    rows: [
      compared(
        "ms",
        {
          what: "a post's 99th percentile during backups",
          values: runs.map(({ during }) => during.p99),
        },
        { what: "without", values: runs.map(({ without }) => without.p99) },
        { target: atMost(1.5) },
      ),
      compared(
        "ms",
        { what: "a post's median during backups", values: runs.map(({ during }) => during.p50) },
        { what: "without", values: runs.map(({ without }) => without.p50) },
      ),
      alone("", { what: "backups in a run", values: runs.map(({ made }) => made) }),
    ],
  };
}

/** Makes one backup after another until it is over, and deletes the one before each, as `--backup-keep 1` does. */
async function backUp(
  { client }: RunningService,
  prefix: string,
  state: { made: number; isOver: boolean },
): Promise<void> {
  let before: string | null = null;
  while (!state.isOver) {
    const name = `${prefix}-${state.made}`;
    const params = { backup: name };
    await client.call("createBackup", { body: { name } });
    while ((await client.call("getBackup", { params })).state === "running") await Bun.sleep(20);
    if (before) await client.call("deleteBackup", { params: { backup: before } });
    before = name;
    state.made++;
  }
}

/** Posts for so many seconds, and says how long the answers took, in milliseconds. */
async function posts(service: RunningService, { token, board }: Desk, seconds: number) {
  const durations: number[] = [];
  const end = performance.now() + seconds * 1_000;
  const path = `/v1/boards/${board}/messages`;
  const text = requestText(service.port, "POST", path, token, JSON.stringify(post));
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await connect(service.port);
      for (let began; (began = performance.now()) < end;) {
        await connection.send(text);
        durations.push(performance.now() - began);
        await Bun.sleep(pauseMs);
      }
      connection.close();
    }),
  );
  return percentiles(durations);
}
