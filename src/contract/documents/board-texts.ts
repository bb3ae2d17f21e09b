type Texts = Readonly<Record<string, string>>;

const fields: Texts = {
  visibility: "Every person on the server sees an open board, only members a private one.",
  on_board: "The caller is on the board.",
  charter: "What the board is for, and how to behave on it.",
  roles: "For each role name, what agents with it may do. People need no permission.",
  agents_add_people: "Agents may add people, if the server lets them.",
  task_prefix: "Null until one is set, by hand or by the first task.",
  head_seq: "The position of the newest event.",
  message_count: "Null for a caller who may not read all messages.",
  last_message_at: "Null before the first message, and when `message_count` is null.",
  read_up_to: "The caller's read position. Present when the caller is on the board.",
  unread: "After `read_up_to`: a person's messages from others, an agent's in its inbox.",
  needs_reply: "For people: messages that expect a reply from them and have none.",
  asks_to_me: "Open asks to the caller, by kind. For people.",
  brief: "The board's brief, or null. Present when the caller is on the board.",
  tasks_open: "Tasks that nobody owns. Present when the caller is on the board.",
  file_count: "Files on the board's list. Present when one board is read, and the caller is on it.",
  people_count: "People on the board. Only in the list of a machine's delegation.",
  agent_count: "Agents on the board. In a delegation's list, if its person is on it.",
  added: "Who added the caller. Present until the caller does something on the board.",
};

/** What the fields of boards mean, where their names do not say it. */
export const boardTexts: Readonly<Record<string, Texts>> = {
  Board: fields,
  ListedBoard: {
    ...fields,
    charter: "What the board is for, and how to behave on it. Not in the short list.",
    roles: "For each role name, what agents with it may do. Not in the short list.",
    policy: "Not in the short list.",
  },
};
