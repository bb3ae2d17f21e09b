import type { AnyCommand } from "./frame/command.ts";

/** Loads the file of a command. Nothing of a command is loaded before it is asked for. */
type Load = () => Promise<{ default: AnyCommand }>;

/**
 * Every command by its group, in the order in which help shows them. A name of several words is a command below another
 * word, as `board new` and `keys sessions end`.
 */
const index = {
  "Get started": {
    pair: () => import("./joining/pair.ts"),
    join: () => import("./joining/join.ts"),
    invite: () => import("./joining/invite.ts"),
    "invite list": () => import("./joining/invite-list.ts"),
    "invite revoke": () => import("./joining/invite-revoke.ts"),
    connect: () => import("./signing-in/connect.ts"),
    open: () => import("./signing-in/open.ts"),
    attention: () => import("./attention/attention.ts"),
    "attention snooze": () => import("./attention/attention-snooze.ts"),
    "attention dismiss": () => import("./attention/attention-dismiss.ts"),
    init: () => import("./setting-up/init.ts"),
    status: () => import("./running/status.ts"),
    help: () => import("./about/help.ts"),
  },
  Talk: {
    say: () => import("./messages/say.ts"),
    ask: () => import("./asks/ask.ts"),
    inbox: () => import("./messages/inbox.ts"),
    read: () => import("./messages/read.ts"),
    search: () => import("./searching/search.ts"),
    replies: () => import("./messages/replies.ts"),
    message: () => import("./messages/message.ts"),
    react: () => import("./messages/react.ts"),
    watch: () => import("./messages/watch.ts"),
    working: () => import("./agents/working.ts"),
    paused: () => import("./agents/paused.ts"),
    delivery: () => import("./agents/delivery.ts"),
    "delivery midturn": () => import("./agents/delivery-midturn.ts"),
  },
  Tasks: {
    "task list": () => import("./tasks/task-list.ts"),
    "task show": () => import("./tasks/task-show.ts"),
    "task new": () => import("./tasks/task-new.ts"),
    "task start": () => import("./tasks/task-start.ts"),
    "task join": () => import("./tasks/task-join.ts"),
    "task note": () => import("./tasks/task-note.ts"),
    "task done": () => import("./tasks/task-done.ts"),
    "task drop": () => import("./tasks/task-drop.ts"),
  },
  Files: {
    "file list": () => import("./files/file-list.ts"),
    "file show": () => import("./files/file-show.ts"),
    "file get": () => import("./files/file-get.ts"),
    "file put": () => import("./files/file-put.ts"),
    "file approve": () => import("./files/file-approve.ts"),
    "file mv": () => import("./files/file-mv.ts"),
    "file rm": () => import("./files/file-rm.ts"),
    brief: () => import("./files/brief.ts"),
    "brief get": () => import("./files/brief-get.ts"),
    "brief put": () => import("./files/brief-put.ts"),
  },
  Boards: {
    boards: () => import("./boards/boards.ts"),
    "board new": () => import("./boards/board-new.ts"),
    "board title": () => import("./boards/board-title.ts"),
    "board prefix": () => import("./boards/board-prefix.ts"),
    "board policy": () => import("./boards/board-policy.ts"),
    "board visibility": () => import("./boards/board-visibility.ts"),
    "board open": () => import("./boards/board-open.ts"),
    "board private": () => import("./boards/board-private.ts"),
    "board leave": () => import("./boards/board-leave.ts"),
    "board archive": () => import("./boards/board-archive.ts"),
    "board restore": () => import("./boards/board-restore.ts"),
    "board delete": () => import("./boards/board-delete.ts"),
    "board export": () => import("./boards/moving/board-export.ts"),
    "board import": () => import("./boards/moving/board-import.ts"),
    "board move": () => import("./boards/moving/board-move.ts"),
  },
  Agents: {
    agents: () => import("./agents/agents.ts"),
    "agent remove": () => import("./agents/agent-remove.ts"),
    "agent prune": () => import("./agents/agent-prune.ts"),
    leave: () => import("./agents/leave.ts"),
    resume: () => import("./agents/resume.ts"),
    allowance: () => import("./pairing/allowance.ts"),
    pairing: () => import("./pairing/pairing-list.ts"),
    "pairing list": () => import("./pairing/pairing-list.ts"),
    "pairing show": () => import("./pairing/pairing-show.ts"),
    "pairing request": () => import("./pairing/pairing-request.ts"),
    "pairing accept": () => import("./pairing/pairing-accept.ts"),
    "pairing select": () => import("./pairing/pairing-select.ts"),
    "pairing decline": () => import("./pairing/pairing-decline.ts"),
    "pairing cancel": () => import("./pairing/pairing-cancel.ts"),
  },
  People: {
    people: () => import("./people/people.ts"),
    "people role": () => import("./people/people-role.ts"),
    "people rename": () => import("./people/people-rename.ts"),
    "people remove": () => import("./people/people-remove.ts"),
    "board people": () => import("./boards/board-people.ts"),
    "board add": () => import("./boards/board-add.ts"),
    "board remove": () => import("./boards/board-remove.ts"),
    "board owner": () => import("./boards/board-owner.ts"),
    "board agents-add-people": () => import("./boards/board-agents-add-people.ts"),
  },
  "Sign in": {
    login: () => import("./signing-in/login.ts"),
    logout: () => import("./signing-in/logout.ts"),
    approve: () => import("./signing-in/approve.ts"),
    whoami: () => import("./signing-in/whoami.ts"),
    keys: () => import("./signing-in/keys.ts"),
    "keys create": () => import("./signing-in/keys-create.ts"),
    "keys revoke": () => import("./signing-in/keys-revoke.ts"),
    "keys sessions": () => import("./signing-in/keys-sessions.ts"),
    "keys sessions end": () => import("./signing-in/keys-sessions-end.ts"),
    servers: () => import("./signing-in/servers.ts"),
    "servers use": () => import("./signing-in/servers-use.ts"),
    "servers remove": () => import("./signing-in/servers-remove.ts"),
  },
  Run: {
    up: () => import("./running/up.ts"),
    down: () => import("./running/down.ts"),
    serve: () => import("./running/serve.ts"),
    mcp: () => import("./mcp/mcp.ts"),
    daemon: () => import("./running/daemon.ts"),
    "daemon start": () => import("./running/daemon-start.ts"),
  },
  Maintain: {
    doctor: () => import("./setting-up/doctor/doctor.ts"),
    "debug-bundle": () => import("./about/debug-bundle.ts"),
    uninstall: () => import("./setting-up/uninstall.ts"),
    backup: () => import("./backups/backup.ts"),
    "backup list": () => import("./backups/backup-list.ts"),
    "backup verify": () => import("./backups/backup-verify.ts"),
    "backup delete": () => import("./backups/backup-delete.ts"),
    restore: () => import("./backups/restore.ts"),
    "storage check": () => import("./backups/storage-check.ts"),
    recover: () => import("./running/recover.ts"),
    "audit verify": () => import("./auditing/audit-verify.ts"),
    api: () => import("./about/api.ts"),
    completion: () => import("./about/completion.ts"),
    version: () => import("./about/version.ts"),
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

/** A group's commands by their names. */
const commandsOf = (group: Group): Readonly<Record<string, Load>> => index[group];

/** The command with exactly this name, or undefined. Every run asks for one, and makes no list of them all. */
export function commandNamed(name: string): CommandEntry | undefined {
  for (const group of groups)
    if (Object.hasOwn(index[group], name)) return { name, group, load: commandsOf(group)[name]! };
  return undefined;
}

/** Every command, group by group. */
export function everyCommand(): CommandEntry[] {
  return groups.flatMap((group) =>
    Object.entries(commandsOf(group)).map(([name, load]) => ({ name, group, load })),
  );
}

/** Whether commands of several words begin with a word. */
export const hasParts = (word: string): boolean =>
  Object.values(index).some((commands) =>
    Object.keys(commands).some((name) => name.startsWith(`${word} `)),
  );
