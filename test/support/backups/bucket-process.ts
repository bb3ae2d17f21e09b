/* A bucket `backups` without a proxy, as a process: `bun bucket-process.ts PORT FOLDER`. It takes the keys S3RVER and S3RVER. */
import S3rver from "s3rver";

const [port, directory] = process.argv.slice(2) as [string, string];
await new S3rver({
  port: Number(port),
  address: "127.0.0.1",
  silent: true,
  directory,
  configureBuckets: [{ name: "backups" }],
}).run();
