import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../servers/free-port.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const kinds = ["account", "container", "object"] as const;

/** Runs Debian's Swift with its S3 interface, which checks signatures as the service itself does, and makes a bucket `backups`. */
export async function startSwift() {
  const running: Bun.Subprocess[] = [];
  const folder = temporaryFolder(async () => {
    for (const child of running) child.kill("SIGKILL");
    await Promise.all(running.map(({ exited }) => exited));
  });
  const ports = { account: freePort(), container: freePort(), object: freePort() };
  const [proxyPort, cachePort] = [freePort(), freePort()];
  mkdirSync(join(folder, "disks", "d1"), { recursive: true });
  const write = (name: string, lines: readonly string[]) =>
    writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
  const common = (port: number) => [
    "[DEFAULT]",
    "bind_ip = 127.0.0.1",
    `bind_port = ${port}`,
    `swift_dir = ${folder}`,
    "user = root",
    "workers = 0",
    "mount_check = false",
    `devices = ${join(folder, "disks")}`,
  ];
  write("swift.conf", ["[swift-hash]", "swift_hash_path_suffix = a", "swift_hash_path_prefix = b"]);
  for (const kind of kinds) {
    for (const words of [
      ["create", "4", "1", "1"],
      ["add", `r1z1-127.0.0.1:${ports[kind]}/d1`, "1"],
      ["rebalance"],
    ])
      run(folder, ["swift-ring-builder", `${kind}.builder`, ...words]);
    write(`${kind}.conf`, [
      ...common(ports[kind]),
      "[pipeline:main]",
      `pipeline = ${kind}-server`,
      `[app:${kind}-server]`,
      `use = egg:swift#${kind}`,
    ]);
  }
  const filters = ["catch_errors", "cache", "s3api", "tempauth", "copy", "slo", "dlo"];
  const settings: Record<string, string[]> = {
    cache: [`memcache_servers = 127.0.0.1:${cachePort}`],
    s3api: ["s3_acl = false", "location = us-east-1"],
    tempauth: ["user_test_tester = testing .admin"],
  };
  write("proxy.conf", [
    ...common(proxyPort),
    "[pipeline:main]",
    `pipeline = ${filters.join(" ")} proxy-server`,
    "[app:proxy-server]",
    "use = egg:swift#proxy",
    "allow_account_management = true",
    "account_autocreate = true",
    ...filters.flatMap((name) => [
      `[filter:${name}]`,
      `use = egg:swift#${name === "cache" ? "memcache" : name}`,
      ...(settings[name] ?? []),
    ]),
  ]);
  const start = (command: string[]) =>
    running.push(Bun.spawn(command, { cwd: folder, stdout: "ignore", stderr: "ignore" }));
  start(["memcached", "-u", "root", "-l", "127.0.0.1", "-p", `${cachePort}`]);
  for (const kind of [...kinds, "proxy"]) start([`swift-${kind}-server`, `${kind}.conf`]);
  const address = `http://127.0.0.1:${proxyPort}`;
  await makeBucket(address);
  return {
    AWS_ACCESS_KEY_ID: "test:tester",
    AWS_SECRET_ACCESS_KEY: "testing",
    AWS_REGION: "us-east-1",
    AWS_ENDPOINT_URL: address,
  };
}

function run(cwd: string, command: string[]): void {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd });
  // It ends with 1 for a warning.
  if (exitCode > 1) throw new Error(`${command.join(" ")}: ${stdout}${stderr}`);
}

/** Makes the bucket once the servers answer. */
async function makeBucket(address: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const status = await tryToMake(address).catch((error: Error) => error.message);
    if (status === 201 || status === 202) return;
    if (performance.now() > deadline) throw new Error(`Swift makes no bucket: ${status}`);
    await Bun.sleep(200);
  }
}

async function tryToMake(address: string): Promise<number> {
  const signedIn = await fetch(`${address}/auth/v1.0`, {
    headers: { "x-storage-user": "test:tester", "x-storage-pass": "testing" },
  });
  const token = signedIn.headers.get("x-auth-token") ?? "";
  const made = await fetch(`${signedIn.headers.get("x-storage-url")}/backups`, {
    method: "PUT",
    headers: { "x-auth-token": token },
  });
  return made.status;
}
