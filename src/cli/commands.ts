import type { AnyCommand } from "./command.ts";

/** Loads the file of a command. Nothing of a command is loaded before it is asked for. */
type Load = () => Promise<{ default: AnyCommand }>;

/**
 * Every command by its group, in the order in which help shows them. A name of several words is a command below another
 * word, as `board new` and `keys sessions end`.
 */
const index = {
  "Get started": {
    pair: () => import("./commands/pair.ts"),
    join: () => import("./commands/join.ts"),
    invite: () => import("./commands/invite.ts"),
    "invite list": () => import("./commands/invite-list.ts"),
    "invite revoke": () => import("./commands/invite-revoke.ts"),
    connect: () => import("./commands/connect.ts"),
    status: () => import("./commands/status.ts"),
    help: () => import("./commands/help.ts"),
  },
  Talk: {
    say: () => import("./commands/say.ts"),
    ask: () => import("./commands/ask.ts"),
    inbox: () => import("./commands/inbox.ts"),
    read: () => import("./commands/read.ts"),
    search: () => import("./commands/search.ts"),
    replies: () => import("./commands/replies.ts"),
    message: () => import("./commands/message.ts"),
    react: () => import("./commands/react.ts"),
    watch: () => import("./commands/watch.ts"),
    working: () => import("./commands/working.ts"),
    paused: () => import("./commands/paused.ts"),
    delivery: () => import("./commands/delivery.ts"),
    "delivery midturn": () => import("./commands/delivery-midturn.ts"),
  },
  Tasks: {
    "task list": () => import("./commands/task-list.ts"),
    "task show": () => import("./commands/task-show.ts"),
    "task new": () => import("./commands/task-new.ts"),
    "task start": () => import("./commands/task-start.ts"),
    "task join": () => import("./commands/task-join.ts"),
    "task note": () => import("./commands/task-note.ts"),
    "task done": () => import("./commands/task-done.ts"),
    "task drop": () => import("./commands/task-drop.ts"),
  },
  Files: {
    "file list": () => import("./commands/file-list.ts"),
    "file show": () => import("./commands/file-show.ts"),
    "file get": () => import("./commands/file-get.ts"),
    "file put": () => import("./commands/file-put.ts"),
    "file approve": () => import("./commands/file-approve.ts"),
    "file mv": () => import("./commands/file-mv.ts"),
    "file rm": () => import("./commands/file-rm.ts"),
    brief: () => import("./commands/brief.ts"),
    "brief get": () => import("./commands/brief-get.ts"),
    "brief put": () => import("./commands/brief-put.ts"),
  },
  Boards: {
    boards: () => import("./commands/boards.ts"),
    "board new": () => import("./commands/board-new.ts"),
    "board title": () => import("./commands/board-title.ts"),
    "board prefix": () => import("./commands/board-prefix.ts"),
    "board policy": () => import("./commands/board-policy.ts"),
    "board visibility": () => import("./commands/board-visibility.ts"),
    "board open": () => import("./commands/board-open.ts"),
    "board private": () => import("./commands/board-private.ts"),
    "board leave": () => import("./commands/board-leave.ts"),
    "board archive": () => import("./commands/board-archive.ts"),
    "board restore": () => import("./commands/board-restore.ts"),
    "board delete": () => import("./commands/board-delete.ts"),
  },
  Agents: {
    agents: () => import("./commands/agents.ts"),
    "agent remove": () => import("./commands/agent-remove.ts"),
    "agent prune": () => import("./commands/agent-prune.ts"),
    leave: () => import("./commands/leave.ts"),
    resume: () => import("./commands/resume.ts"),
    allowance: () => import("./commands/allowance.ts"),
    pairing: () => import("./commands/pairing-list.ts"),
    "pairing list": () => import("./commands/pairing-list.ts"),
    "pairing show": () => import("./commands/pairing-show.ts"),
    "pairing request": () => import("./commands/pairing-request.ts"),
    "pairing accept": () => import("./commands/pairing-accept.ts"),
    "pairing select": () => import("./commands/pairing-select.ts"),
    "pairing decline": () => import("./commands/pairing-decline.ts"),
    "pairing cancel": () => import("./commands/pairing-cancel.ts"),
  },
  People: {
    people: () => import("./commands/people.ts"),
    "people role": () => import("./commands/people-role.ts"),
    "people rename": () => import("./commands/people-rename.ts"),
    "people remove": () => import("./commands/people-remove.ts"),
    "board people": () => import("./commands/board-people.ts"),
    "board add": () => import("./commands/board-add.ts"),
    "board remove": () => import("./commands/board-remove.ts"),
    "board owner": () => import("./commands/board-owner.ts"),
    "board agents-add-people": () => import("./commands/board-agents-add-people.ts"),
  },
  "Sign in": {
    login: () => import("./commands/login.ts"),
    logout: () => import("./commands/logout.ts"),
    approve: () => import("./commands/approve.ts"),
    whoami: () => import("./commands/whoami.ts"),
    keys: () => import("./commands/keys.ts"),
    "keys create": () => import("./commands/keys-create.ts"),
    "keys revoke": () => import("./commands/keys-revoke.ts"),
    "keys sessions": () => import("./commands/keys-sessions.ts"),
    "keys sessions end": () => import("./commands/keys-sessions-end.ts"),
    servers: () => import("./commands/servers.ts"),
    "servers use": () => import("./commands/servers-use.ts"),
    "servers remove": () => import("./commands/servers-remove.ts"),
  },
  Run: {
    up: () => import("./commands/up.ts"),
    down: () => import("./commands/down.ts"),
    serve: () => import("./commands/serve.ts"),
  },
  Maintain: {
    "audit verify": () => import("./commands/audit-verify.ts"),
    api: () => import("./commands/api.ts"),
    completion: () => import("./commands/completion.ts"),
    version: () => import("./commands/version.ts"),
  },
} as const satisfies Record<string, Record<string, Load>>;

/** The name of a group of commands. */
export type Group = keyof typeof index;

/** A command in the index: all that is known of it before it is loaded. */
export interface CommandEntry {
  readonly name: string;
  readonly group: Group;
  readonly load: Load;
}

/** The groups of commands, in the order in which help shows them. */
export const groups = Object.keys(index) as Group[];

/** Every command, group by group. */
export const commands: readonly CommandEntry[] = groups.flatMap((group) =>
  Object.entries<Load>(index[group]).map(([name, load]) => ({ name, group, load })),
);
