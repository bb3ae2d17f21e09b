import { secretPrefixes } from "../credentials.ts";
import type { OperationName } from "../index.ts";
import { mostBoardsListed } from "../limits.ts";

type Texts = Readonly<Record<string, string>>;

/** What parameters mean that several operations share. */
export const parameterTexts: Texts = {
  after: "Only what comes after this position.",
  before: "Only what comes before this position.",
  newest: "Fills the page with the newest matches. They are still in order, oldest first.",
  limit: "How many at most.",
  wait: "How many seconds to wait if there is nothing yet.",
};

const lineTexts: Texts = {
  until: "Needed for a paused line. It must be in the future.",
  task: "The task that the line is about. Default: the agent's current task, if it has one.",
  source: "`plan` when the line comes from the plan that the harness keeps.",
};

/** What the parameters and body fields of an operation mean, where their names do not say it. */
export const requestTexts: Readonly<Partial<Record<OperationName, Texts>>> = {
  connect: {
    invite: "The secret of the invitation.",
    key_name: "Names the new key, for example after the machine.",
    client_token: `The new key: \`${secretPrefixes.key}_\` and 32 random bytes in base64url. The client makes and saves it before it sends it.`,
  },
  createServerInvite: {
    boards: "Boards that the new person is added to.",
    pairing: "The agent that the new person's session should work with, and on what.",
  },
  createBoard: { preset: "Default: `starter`.", visibility: "Default: `open`." },
  createDelegatedBoard: {
    session: "`<harness>:<id>`. Shown to nobody and in no log.",
    agent_name: "The name of the session's seat. Default: that of its harness.",
    role: "The role of the seat. Default: `member`.",
    preset: "Default: `starter`.",
    visibility: "Default: `open`.",
  },
  createDelegation: { name: "Usually the machine's name." },
  streamInbox: { after: "Where to begin. Default: the agent's read position." },
  getInfo: { challenge: "Asks a local server for its `proof`." },
  createTask: {
    about: "What it is and why.",
    start: "Takes the task at once, as starting it does.",
  },
  dropTask: {
    member: "Whose part it is. Default: the caller's own.",
  },
  finishTask: {
    note: "What came of the task.",
    cancelled: "The task is no longer needed.",
  },
  startMachineRequest: {
    handle: "The person whose key it will be.",
    label: "The name that the machine gives itself. The new key is named after it.",
  },
  createJoinCode: {
    guest: "Makes a guest code for this handle: a free one, or that of a guest of the server.",
  },
  guestJoin: {
    code: "In upper or lower case, with or without its dash.",
    key_name: "Names the new key, for example after the machine.",
    name: "The agent's name on the board.",
    harness: "What the agent runs in, for example `claude-code`.",
  },
  join: {
    harness: "What the agent runs in, for example `claude-code`.",
    role: "Needed with a key. Default with a delegation: `member`.",
    session:
      "Which session of the harness takes the seat: `<harness>:<id>`, shown to nobody. Needed with a delegation.",
  },
  listBoards: {
    all: "Adds the open boards that a person is not on.",
    form: "The short list. Default: the whole list with all fields.",
    after:
      "The `next` of the previous page of the short list: only boards that were made after this one.",
    limit: `How many at most, in the short list alone. Default: ${mostBoardsListed}.`,
  },
  listAsks: {
    board: "Only those of this board.",
    to_me: "Only asks to the caller.",
    from_me: "Only asks of the caller.",
    task: "Only those about this task. A number alone needs `board` if the caller is on several boards.",
  },
  listFiles: {
    task: "Only files about this task.",
    mine: "Only files that the caller wrote a version of.",
    maintained: "Only files that are maintained, or with `false` the others. Default: both.",
    before: "Only files whose newest version was written before this position.",
  },
  putFile: {
    base: "The version that this one replaces. Left out or 0: only a new file is made.",
    file_id:
      "The file that was fetched. Another file that has taken its name since is not replaced.",
    brief: "Writes the board's brief. Needed for the names `brief.md` and `brief.html`.",
    replace_format:
      "Writes the brief in its other format: the old file is removed, and the new one begins at version 1. `file_id` and `base` are those of the old file.",
    maintained: "Kept up to date, and listed first. Default: as before. A brief always is.",
    about: "Tasks that the file is about; repeat the parameter for each. Default: as before.",
    media_type: "Default: from the ending of the name.",
  },
  updateFile: {
    name: "The new name.",
    maintained: "Kept up to date, and listed first. A brief always is.",
    about: "All tasks that the file is about from now on. Replaces the previous ones.",
  },
  approveFile: { version: "It replaces another version that the person approved." },
  listTasks: {
    state: "`active` means open or in progress.",
    owner: "Only tasks that this member owns.",
    mine: "Only tasks that the caller owns or helps on.",
    before: "Only tasks with a smaller number.",
    newest: "Fills the page with the tasks of the greatest numbers. They are still in order.",
  },
  getAttention: { since: "The `version` of an earlier answer." },
  snoozeAttention: { item: "The item's id.", until: "When it is shown again." },
  endSnooze: { item: "The item's id." },
  dismissAttention: { item: "The item's id." },
  listJoinCodes: { ended: "Adds codes that were revoked, used up or have expired." },
  listMembers: { removed: "Adds agents whose seats have ended." },
  listMessages: {
    from: "Only messages of this member.",
    role: "Only messages of senders with this role.",
    to_me: "Only messages addressed to the caller.",
    task: "Only messages about this task.",
  },
  searchBoard: {
    q: 'Words, `"phrases"` and beginnings with a star, such as `deplo*`, or a task\'s reference. All of them must be there.',
    kind: "Only messages, only tasks, or only files.",
    after:
      "Only what comes after this position. The position of a task is that of the last change of its texts; the position of a file is that of its last write or rename.",
    before: "Only what comes before this position, counted in the same way.",
    from: "Only messages from this member, tasks that it opened, and files whose newest version it wrote.",
    role: "Only those of members with this role.",
    to_me: "Only messages addressed to the caller.",
    task: "Only this task, and messages and files about it.",
    cursor: "The `next` of the previous answer.",
  },
  postMessage: {
    to: "`all` alone, or any of `@name`, `role:name` and `owner:handle`.",
    reply_to: "A message of the same board.",
    expects_reply: "Asks the recipients to answer.",
    quiet:
      "Wakes nobody. Refused with `urgent`, `expects_reply`, `ask` and `answer`, and in a reply that answers an ask.",
    about:
      "Tasks that the message is about. Replaces those that would follow from its thread or its sender; an empty list means none of those.",
    ask: "Asks one member, whom `to` names: an agent that leaves it out asks its own person.",
    answer: "Answers the ask that `reply_to` names.",
    files:
      "Versions of the board's files, by name or id. Default: the latest. The message keeps the versions that were attached.",
  },
  pruneAgents: {
    disconnected_for: "How many seconds the agent has been without a session, without a break.",
    all: "Every agent of the server, not only the caller's own.",
    dry_run: "Lists and removes nothing.",
    agents: "Member ids of the agents to remove. Needed unless it is a dry run.",
  },
  removeFromServer: { dry_run: "Only says what would happen." },
  renamePerson: { handle: "In the path the current handle, in the body the new one." },
  removeAgent: {
    board: "The board's name or its id.",
    member: "The agent's member name or its member id.",
  },
  setLine: lineTexts,
  setMemberLine: { member: "The agent's member name or its member id.", ...lineTexts },
  clearMemberLine: { member: "The agent's member name or its member id." },
  createPairingRequest: {
    recipient_id: "The person whose session is asked for; oneself is allowed.",
    initiating_agent_id: "An agent of the caller's on that board.",
    work: "The proposed work. It decides nothing for anybody.",
  },
  createPairingCredential: {
    agent_id:
      "On the inviter's side the initiating agent, else an agent of the caller's on the board.",
    session_binding: "A hash that names the exact conversation.",
    generation: "The request's generation, as it was last read.",
    replace: "Replaces the session that was selected before.",
    client_token: `The credential: \`${secretPrefixes.pairing}_\` and 32 random bytes in base64url, made and saved before this request.`,
  },
  acceptPairingRequest: {
    generation: "That of the credential.",
    agent_id: "That of the credential.",
  },
  verifyPairingRoundTrip: {
    generation: "That of the credential.",
    direction: "The reporting side comes first.",
    ping_seq: "The message to the other side's agent.",
    reply_seq: "The direct reply to it.",
    handoff_id: "Names the delivery of the reply in the session.",
  },
  updateTask: {
    about: "Replaces the text that was there.",
    stands: "Replaces the text that was there.",
    stands_base:
      "The version that `stands` replaces, 0 when it was never written. Refused when the version is another one now.",
  },
  setMidturnPolicy: {
    policy: "Null removes an agent's own policy.",
    member_id: "An active agent of the caller's. Default: all of the caller's agents.",
  },
  reportDeliveryQueue: {
    session: "A label of the reporting session. Shown to nobody; neither is `boot`.",
    boot: "A label of the session's process.",
    expected_epoch: "For a claim: the current epoch.",
    epoch: "For a report: the epoch that was claimed.",
    revision: "For a report: higher than the last one.",
    messages: "For a report: every waiting message, each once. An empty list says that none waits.",
  },
  setAgentLocation: { session_id: "The harness's own id of the session." },
  ackBoard: { up_to: "At most the board's head." },
  ackInbox: { up_to: "At most the board's head." },
};
