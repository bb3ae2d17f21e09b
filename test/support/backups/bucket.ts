import { readdirSync, readFileSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import S3rver from "s3rver";
import { bucketClient, type Patience } from "../../../src/backup/s3-client.ts";
import { s3Place } from "../../../src/backup/s3-place.ts";
import { bucketAt } from "../../../src/backup/s3-settings.ts";
import { sealingKey } from "../../../src/backup/sealed.ts";
import { freePort } from "../servers/free-port.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** What a fault does with a request: an answer in place of the bucket's, or undefined to let it pass. */
export type Fault = (request: Request) => Response | undefined | Promise<Response | undefined>;

/** A bucket `backups` behind a proxy that tests break. Tests wait little for it. */
export async function startBucket() {
  const port = freePort();
  const folder = temporaryFolder(async () => {
    front.close();
    drop();
    await proxy.stop(true);
    await server.close();
  });
  const server = new S3rver({
    port,
    address: "127.0.0.1",
    silent: true,
    directory: folder,
    configureBuckets: [{ name: "backups" }],
  });
  await server.run();
  const state: { fault: Fault; requests: number } = { fault: () => undefined, requests: 0 };
  const proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      state.requests++;
      const broken = await state.fault(request);
      if (broken) return broken;
      const { pathname, search } = new URL(request.url);
      const body = request.method === "PUT" ? await request.bytes() : undefined;
      return fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        ...(body && { body }),
      });
    },
  });
  const lines = new Set<Socket>();
  const drop = () => lines.forEach((line) => line.destroy());
  const front = createServer((line) => {
    const behind = connect(proxy.port!, "127.0.0.1");
    lines.add(line);
    line.pipe(behind).pipe(line);
    line.on("error", () => behind.destroy());
    behind.on("error", () => line.destroy());
    line.on("close", () => {
      lines.delete(line);
      behind.destroy();
    });
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const env = {
    AWS_ACCESS_KEY_ID: "S3RVER",
    AWS_SECRET_ACCESS_KEY: "S3RVER",
    AWS_REGION: "us-east-1",
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
  };
  const where = "s3://backups/team";
  const patience: Patience = { answerMs: 400, tries: 3, pauseMs: 1, pages: 20, bytesPerMs: 1e6 };
  return {
    env,
    where,
    state,
    /** Ends every connection in the middle of what it does. */
    drop,
    place: (key?: string, other: Partial<Patience> = {}) =>
      s3Place({
        where,
        bucket: bucketClient(bucketAt(where, env), { ...patience, ...other }),
        key: sealingKey(key),
      }),
    bucket: bucketClient(bucketAt(where, env), patience),
    bucketWith: (other: Partial<Patience>) =>
      bucketClient(bucketAt(where, env), { ...patience, ...other }),
    /** Every stored byte, as its server keeps it. */
    bytes: () =>
      Buffer.concat(
        readdirSync(join(folder, "backups"), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
      ),
  };
}
