import type { Answer } from "./frame/command.ts";
import { bold } from "./terminal/style.ts";
import { columns } from "./terminal/table.ts";

interface Topic {
  readonly title: string;
  readonly about: string;
  /** Names, each with what it means, in groups that have a heading or none. */
  readonly groups: readonly {
    readonly title?: string;
    readonly entries: readonly (readonly [name: string, text: string])[];
  }[];
}

/** What help explains besides the commands. */
const topics = {
  environment: {
    title: "Environment variables",
    about: "A flag wins over its variable. An empty variable counts as one that is not set.",
    groups: [
      {
        title: "Who acts, and where",
        entries: [
          ["SERVICE_AGENT", "The agent to act as, where `--as` is not given."],
          ["SERVICE_BOARD", "The board, where `--board` is not given."],
          ["SERVICE_SERVER", "The server of a person's command, where `--server` is not given."],
        ],
      },
      {
        title: "Files",
        entries: [
          [
            "SERVICE_HOME",
            "One folder, as an absolute path, for everything this machine keeps: its parts are config, data and state.",
          ],
          [
            "XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME",
            "Without SERVICE_HOME: where the folder `service` of each kind is (else ~/.config, ~/.local/share and ~/.local/state).",
          ],
        ],
      },
      {
        title: "Network",
        entries: [
          ["SERVICE_LOCAL_ADDR", "HOST:PORT of this machine's own server (else 127.0.0.1:7400)."],
          ["SSL_CERT_FILE", "A PEM file with certificates to trust besides the system's."],
          [
            "HTTPS_PROXY, NO_PROXY",
            "The proxy to a server elsewhere, and the hosts reached without it. This machine's own server is always reached directly.",
          ],
        ],
      },
      {
        title: "Backups in a bucket (`--to s3://BUCKET/PREFIX`)",
        entries: [
          [
            "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN",
            "The key of the bucket. It comes from here alone.",
          ],
          [
            "AWS_ENDPOINT_URL, AWS_REGION",
            "Where the bucket is, if not with the service that made the protocol. An endpoint has https, or is on this machine.",
          ],
          [
            "SERVICE_BACKUP_KEY",
            "Encrypts what is stored there: 32 bytes in base64. Without the same key nobody restores it.",
          ],
        ],
      },
      {
        title: "Delivery",
        entries: [
          [
            "SERVICE_GATHER_MS",
            "How many milliseconds the daemon gathers messages before it wakes a session (else 2000). It counts at the daemon's start.",
          ],
        ],
      },
      {
        title: "What is shown",
        entries: [
          ["BROWSER", "The program that `service open` runs with a link (else the system's)."],
          ["NO_COLOR", "No colours. `TERM=dumb` has the same effect."],
          ["ACCESSIBLE", "No form that moves on the screen: every question is a line."],
        ],
      },
      {
        title: "A team's server (`service serve`)",
        entries: [
          ["SERVICE_DATA", "The folder of its data, where `--data` is not given."],
          ["SERVICE_DB, SERVICE_FILES", "Its database and files, as `--db` and `--files`."],
          ["SERVICE_LISTEN", "The address it listens on, as `--listen`."],
          ["SERVICE_ADMIN", "The handle of its first admin, as `--admin`."],
          ["SERVICE_TRUST_PROXY", "The proxies whose X-Forwarded-For counts, as `--trust-proxy`."],
          ["SERVICE_DOWNLOADS", "The folder of programs that it offers, as `--downloads`."],
          ["SERVICE_RATE_SCALE", "A factor for every rate limit, as `--rate-scale`."],
        ],
      },
      {
        title: "Set by a harness or its hooks",
        entries: [
          ["SERVICE_SESSION, SERVICE_SUBAGENT", "Which session or subagent a command runs in."],
        ],
      },
    ],
  },
  "exit-codes": {
    title: "Exit codes",
    about: "They hold for every command, with and without `--json`.",
    groups: [
      {
        entries: [
          ["0", "Done. Also a question that was answered with no, and a wait that ended empty."],
          ["1", "Refused, by the server or by this program. `code` in the JSON says why."],
          ["2", "Not understood: an unknown command or flag, or a value that cannot be read."],
          ["3", "A check ran and failed, such as `service audit verify` on a changed log."],
        ],
      },
    ],
  },
} as const satisfies Record<string, Topic>;

type TopicName = keyof typeof topics;

/** The topics that `help` explains besides the commands. */
export const topicNames = Object.keys(topics) as TopicName[];

/** Whether a word is such a topic. */
export const isTopic = (name: string): name is TopicName => Object.hasOwn(topics, name);

/** The help about a topic. */
export function helpAbout(name: TopicName): Answer {
  const { title, about, groups }: Topic = topics[name];
  const entries = groups.flatMap((group) =>
    group.entries.map(([entry, text]) => ({ name: entry, text })),
  );
  return {
    json: { topic: name, title, about, entries },
    text: [
      `${bold(title)}. ${about}`,
      ...groups.map(({ title: heading, entries: rows }) =>
        [...(heading === undefined ? [] : [bold(heading)]), columns(rows)].join("\n"),
      ),
    ].join("\n\n"),
  };
}
