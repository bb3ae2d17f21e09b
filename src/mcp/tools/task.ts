import { createTask, listTasks, updateTask } from "../../contract/tasks.ts";
import { TaskSelector } from "../../contract/scalars.ts";
import type { Caller } from "../caller.ts";
import { boardOf, given } from "../common.ts";
import { call, counted, taskLine, taskText, type Task } from "../texts.ts";
import { arg, toolOf } from "../tool.ts";

const { title, about, start } = createTask.body!.properties;
const { stands, stands_base } = updateTask.body!.properties;
const { state, mine, limit } = listTasks.query!.properties;

const told = (did: string, task: Task) => ({ text: `${did} ${taskLine(task)}`, data: task });

/** Where a task is: the path of its operations. */
const paramsOf = async (caller: Caller, task = "") => ({ board: await boardOf(caller), task });

/** The tasks of the board. */
export const task = toolOf(
  "task",
  "Tasks of your board. new opens one, start takes one as its owner, note says where it stands, done closes it with a note.",
  {
    task: arg(TaskSelector, "e.g. DOC-7"),
    title: arg(title),
    about: arg(about),
    text: arg(stands, "for note and done"),
    base: arg(stands_base, "version that the note replaces"),
    start: arg(start, "new: start it too"),
    state: arg(state),
    mine: arg(mine),
    limit: arg(limit),
  },
  {
    list: {
      takes: ["state", "mine", "limit"],
      async run(caller, query) {
        const params = { board: await boardOf(caller) };
        const list = await caller.call("listTasks", { params, query: given(query) });
        const { board, tasks, more } = list;
        const head = `${board} · ${counted(tasks.length, "task")}${more ? " and more" : ""}`;
        return { text: [head, ...tasks.map(taskLine)].join("\n"), data: list };
      },
    },
    show: {
      needs: ["task"],
      async run(caller, args) {
        const found = await caller.call("getTask", { params: await paramsOf(caller, args.task) });
        return { text: taskText(found), data: found };
      },
    },
    new: {
      needs: ["title"],
      takes: ["about", "start"],
      async run(caller, { title: named = "", ...rest }) {
        const params = { board: await boardOf(caller) };
        const body = { title: named, ...given(rest) };
        return told("Opened", await caller.call("createTask", { params, body }));
      },
    },
    start: {
      needs: ["task"],
      async run(caller, args) {
        const params = await paramsOf(caller, args.task);
        return told("Started", await caller.call("startTask", { params }));
      },
    },
    note: {
      needs: ["task", "text"],
      takes: ["base"],
      async run(caller, { task: which, text = "", base }) {
        const params = await paramsOf(caller, which);
        const body = { stands: text, ...(base !== undefined && { stands_base: base }) };
        return told("Noted where it stands:", await caller.call("updateTask", { params, body }));
      },
    },
    done: {
      needs: ["task", "text"],
      async run(caller, { task: which, text = "" }) {
        const params = await paramsOf(caller, which);
        const closed = await caller.call("finishTask", { params, body: { note: text } });
        const { text: line, data } = told("Closed", closed);
        return { text: `${line}\nNext: ${call("task", { do: "list", state: "open" })}`, data };
      },
    },
  },
);
