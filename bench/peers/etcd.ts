import { freePort, start, stop } from "../processes.ts";
import { body } from "../raw.ts";
import { wrk } from "../wrk.ts";
import { whenReady, type Peer } from "./peer.ts";

/** etcd, a key-value store that syncs its log before it answers. */
export const etcd: Peer = {
  name: "etcd",
  promise:
    "A put of 200 characters through its JSON gateway: its log is synced before the answer, together with others of the moment. No digest, no rules.",
  needs: [{ program: "etcd", package: "etcd-server" }],
  async start(folder) {
    const url = `http://127.0.0.1:${freePort()}`;
    const peerUrl = `http://127.0.0.1:${freePort()}`;
    const child = start(
      [
        "etcd",
        "--data-dir",
        folder,
        "--name",
        "one",
        "--log-level",
        "error",
        "--listen-client-urls",
        url,
        "--advertise-client-urls",
        url,
        "--listen-peer-urls",
        peerUrl,
        "--initial-advertise-peer-urls",
        peerUrl,
        "--initial-cluster",
        `one=${peerUrl}`,
      ],
      { log: `${folder}.log` },
    );
    const put = { key: btoa("board"), value: btoa(body) };
    const measure = (connections: number, seconds: number) =>
      wrk({ url: `${url}/v3/kv/put`, body: put, connections, seconds });
    await whenReady(async () => {
      const answer = await fetch(`${url}/v3/kv/put`, { method: "POST", body: JSON.stringify(put) });
      if (!answer.ok) throw new Error(`etcd answers ${answer.status}`);
    });
    return {
      rate: async (connections, seconds) => (await measure(connections, seconds)).rate,
      stop: () => stop(child),
    };
  },
};
