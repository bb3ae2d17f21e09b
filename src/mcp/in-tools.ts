import { call } from "./texts.ts";

type Call = readonly [tool: string, args?: object];

/** The tool for each command that an agent runs in a shell, with the arguments that select what the command does. */
const byCommand: Readonly<Record<string, Call>> = {
  say: ["say"],
  inbox: ["inbox"],
  read: ["read", { do: "messages" }],
  replies: ["read", { do: "thread" }],
  message: ["read", { do: "message" }],
  agents: ["read", { do: "people" }],
  brief: ["read", { do: "brief" }],
  "brief get": ["read", { do: "brief" }],
  "brief put": ["file", { do: "put", brief: true }],
  "task list": ["task", { do: "list" }],
  "task show": ["task", { do: "show" }],
  "task new": ["task", { do: "new" }],
  "task start": ["task", { do: "start" }],
  "task note": ["task", { do: "note" }],
  "task done": ["task", { do: "done" }],
  "task join": ["api", { operation: "joinTask" }],
  "task drop": ["api", { operation: "dropTask" }],
  ask: ["ask", { do: "ask" }],
  "ask --answer": ["ask", { do: "answer" }],
  "file list": ["file", { do: "list" }],
  "file get": ["file", { do: "get" }],
  "file put": ["file", { do: "put" }],
  "file show": ["api", { operation: "getFile" }],
  "file mv": ["api", { operation: "updateFile" }],
  "file rm": ["api", { operation: "removeFile" }],
  search: ["search"],
  boards: ["api", { operation: "listBoards" }],
  "board people": ["api", { operation: "listPeople" }],
  react: ["api", { operation: "addReaction" }],
  working: ["api", { operation: "setLine" }],
  paused: ["api", { operation: "setLine" }],
  leave: ["api", { operation: "leaveAsAgent" }],
};

/** A hint with a tool in place of each command that has one, and an argument in place of each flag. The others are a person's. */
export const inTools = (hint: string): string =>
  hint
    .replace(/`service ([^`]+)`/g, (whole, line: string) => {
      const words = line.split(" ");
      // A tool reads no file of the machine, so what a command attaches is first put on the board.
      if (words[0] === "say" && words.includes("--attach")) return call("file", { do: "put" });
      const found = byCommand[words.slice(0, 2).join(" ")] ?? byCommand[words[0]!];
      if (found) return call(...found);
      return words[0] === "api" && words[1] ? call("api", { operation: words[1] }) : whole;
    })
    .replace(/`--to ([^`]+)`/g, (_, target: string) => `\`to\` ${JSON.stringify([target])}`)
    .replaceAll("`--urgent`", "`urgent`")
    .replaceAll("`--all`", '`state` "all"');
