/** Refusals about tasks: a part of the table of errors. */
export const taskErrors = {
  task_not_found: {
    status: 404,
    message: "Board {board} has no task {task}.",
    hint: "`service task list --board {board}` lists the tasks that are not closed; `--all` adds the closed ones.",
  },
  task_unknown: {
    code: "task_not_found",
    status: 404,
    message: "No board that you are on has a task {task}.",
    hint: "`service boards` lists your boards, and `service task list --board BOARD` their tasks.",
  },
  task_taken: {
    status: 409,
    message: "Task {task} is taken by {owner}.",
    hint: "Help with it: `service task join {task} --board {board}`. Or choose another: `service task list --board {board}`.",
  },
  task_closed: {
    status: 409,
    message: "Task {task} is closed.",
    hint: "Open another for what is left to do: `service task new TITLE --board {board}`.",
  },
  not_on_task: {
    status: 403,
    message: "{member} is not on task {task}.",
    hint: "`service task show {task} --board {board}` names its owner and who helps.",
  },
  task_not_yours: {
    code: "not_on_task",
    status: 403,
    message: "Only {who} can do this to task {task}.",
    hint: "Ask its owner, or a person on the board.",
  },
  stands_changed: {
    status: 409,
    message:
      "The `stands` text of task {task} is now at version {version}, not at the one you gave.",
    hint: "Read it again, then say what is true now: `service task show {task} --board {board}`, `service task note TEXT --task {task} --base {version} --board {board}`.",
  },
  task_prefix_taken: {
    status: 409,
    message: "The task prefix {prefix} belongs to another board.",
    hint: "Choose another: a capital letter, then one to five capitals or digits.",
  },
} as const;
