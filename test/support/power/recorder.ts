import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../servers/free-port.ts";
import { builtService } from "../servers/server-as-process.ts";
import { untilTrue } from "../wait-until.ts";
import { bytesIn, openFileIn, tracedCalls, tracing, type Call } from "./strace.ts";

/** What somebody was told is stored. */
export type Promised =
  | { readonly what: "post"; readonly id: string; readonly body: string }
  | { readonly what: "file"; readonly name: string; readonly sha256: string }
  | { readonly what: "key" | "revoked key" | "seat"; readonly token: string }
  | {
      readonly what: "import";
      readonly board: string;
      readonly digests: Readonly<Record<string, string>>;
    }
  | { readonly what: "export"; readonly file: string; readonly oneOf: readonly string[] }
  | { readonly what: "backup"; readonly name: string }
  | { readonly what: "restore"; readonly posts: readonly string[] }
  | { readonly what: "kept seat" | "kept key"; readonly machine: string; readonly id: string };

/** What machines did to one disk, and what they promised. */
export interface Recording {
  /** The folder whose content was recorded from its beginning. */
  readonly root: string;
  readonly calls: readonly Call[];
  /** Promises with the place among the calls at which each was given, in order. */
  readonly promises: readonly { readonly place: number; readonly promise: Promised }[];
}

/** The machines, each a SERVICE_HOME below the root: of the server and its person, of two other people, and the server's next. */
export const homes = { server: "server", laptop: "laptop", desk: "desk", next: "next" } as const;

/** Something that was promised, and the text with which a process told it first. */
interface Given {
  readonly promise: Promised;
  readonly process: string;
  readonly told: string;
}

export type Recorder = Awaited<ReturnType<typeof startRecorder>>;
export type RecordedServer = Awaited<ReturnType<Recorder["serve"]>>;

/** Records what the built program does to the files in a new folder `root` below this one. */
export async function startRecorder(folder: string) {
  const root = join(folder, "root");
  mkdirSync(root, { mode: 0o700 });
  const program = await builtService();
  const address = `127.0.0.1:${freePort()}`;
  const given: Given[] = [];
  const processes: string[] = [];

  function start(home: string, words: readonly string[], inject?: string) {
    const process = `${processes.length}-${words[0]}`;
    processes.push(process);
    const child = Bun.spawn([...tracing(folder, process, inject), program, ...words], {
      cwd: folder,
      env: {
        PATH: globalThis.process.env["PATH"]!,
        HOME: join(folder, "nobody"),
        SERVICE_HOME: join(root, home),
        ...(home === homes.server || home === homes.next
          ? { USER: "ana", SERVICE_LOCAL_ADDR: address }
          : { USER: home, SERVICE_LOCAL_ADDR: `127.0.0.1:${freePort()}` }),
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    /** Ends it while it does nothing: a call that it is killed in may have happened or not. */
    const end = async (signal: "SIGKILL" | "SIGTERM") => {
      await isQuiet(join(folder, `${process}.trace`));
      globalThis.process.kill(tracedBy(child.pid), signal);
      await child.exited;
    };
    return { process, child, end };
  }

  return {
    root,
    baseUrl: `http://${address}`,

    /** Starts a server. */
    async serve(home: string = homes.server) {
      const { process, child, end } = start(home, ["serve"]);
      if (!(await saysServing(child.stdout)))
        throw new Error(`the server ended: ${await new Response(child.stderr).text()}`);
      const promised = (promise: Promised, told: string) =>
        void given.push({ promise, process, told });
      return { promised, end };
    },

    /** Runs a command, and gives what it printed. With its last word `promised` says what it promises. */
    async command(
      home: string,
      words: readonly string[],
      promised?: (answer: any) => { promise: Promised; told: string },
    ) {
      const { process, child } = start(home, [...words, "--json"]);
      const printed = await new Response(child.stdout).text();
      if ((await child.exited) !== 0) throw new Error(`${words.join(" ")}: ${printed}`);
      const answer = JSON.parse(printed);
      if (promised) given.push({ process, ...promised(answer) });
      return answer;
    },

    /** Runs a command that is killed just before its call of this name and number. A server that serves before that is killed then. */
    async killedBefore(
      call: "fsync" | "link" | "rename",
      number: number,
      home: string,
      words: readonly string[],
    ): Promise<void> {
      const { child, end } = start(home, words, `${call}:signal=KILL:when=${number}`);
      if (await saysServing(child.stdout)) await end("SIGKILL");
      await child.exited;
    },

    /** What was recorded, once no process runs. */
    finished(): Recording {
      const calls = tracedCalls(folder, processes);
      return { root, calls, promises: placed(given, calls) };
    },
  };
}

/** Whether a server serves, or ends before that. */
async function saysServing(stdout: ReadableStream<Uint8Array>): Promise<boolean> {
  let printed = "";
  for await (const chunk of stdout) {
    printed += new TextDecoder().decode(chunk);
    if (printed.includes("Serving at")) return true;
  }
  return false;
}

/** Resolves once a trace has not grown for a while. */
async function isQuiet(trace: string): Promise<void> {
  let before = -1;
  const hasRested = async () => {
    await Bun.sleep(100);
    const { size } = statSync(trace);
    const rests = size === before;
    before = size;
    return rests;
  };
  await untilTrue(hasRested, "the traced process rests");
}

/** The process that strace runs. */
function tracedBy(strace: number): number {
  return Number(readFileSync(`/proc/${strace}/task/${strace}/children`, "utf8").trim());
}

/** Each promise with the place of the call that told it. Throws for one that no call told. */
function placed(given: readonly Given[], calls: readonly Call[]): Recording["promises"] {
  const told = calls
    .filter(({ name }) => /^(write|writev|sendto|sendmsg)$/.test(name))
    .filter(({ args }) => !openFileIn(args[0]!)?.path.startsWith("/"))
    .map(({ process, args, began }) => ({
      process,
      began,
      text: args.slice(1).map(bytesIn).join(""),
    }));
  return given
    .map(({ promise, process, told: said }) => {
      const first = told.find((one) => one.process === process && one.text.includes(said));
      if (!first) throw new Error(`no call told ${said}, a ${promise.what}`);
      return { place: first.began, promise };
    })
    .sort((a, b) => a.place - b.place);
}
