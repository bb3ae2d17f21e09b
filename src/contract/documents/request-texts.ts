import { secretPrefixes } from "../credentials.ts";
import type { OperationName } from "../index.ts";

type Texts = Readonly<Record<string, string>>;

/** What parameters mean that several operations share. */
export const parameterTexts: Texts = {
  after: "Only what comes after this position.",
  limit: "How many at most.",
  wait: "How many seconds to wait for something, when there is nothing yet.",
};

const lineTexts: Texts = {
  until: "Needed for a paused line. It must be ahead.",
  task: "The task that the line is about; else the agent's current one, if it has one.",
  source: "`plan` when a harness tells it of the plan that it keeps.",
};

/** What the parameters and body fields of an operation mean, where their names do not say it. */
export const requestTexts: Readonly<Partial<Record<OperationName, Texts>>> = {
  connect: {
    invite: "The secret of the invitation.",
    key_name: "Names the new key, for example after the machine.",
    client_token: `The new key itself: \`${secretPrefixes.key}_\` and 32 random bytes in base64url, made and saved by the client before it asks.`,
  },
  createServerInvite: {
    boards: "Boards that the new person comes onto.",
    pairing: "The agent that the new person's session is to work with, and on what.",
  },
  createBoard: { preset: "`starter` unless given.", visibility: "`open` unless given." },
  createDelegatedBoard: {
    session: "`<harness>:<id>`. Shown to nobody and in no log.",
    agent_name: "Names the session's seat. Without it the agent is named after its harness.",
    role: "The seat's: `member` unless given.",
    preset: "`starter` unless given.",
    visibility: "`open` unless given.",
  },
  createDelegation: { name: "Usually the machine's." },
  getInfo: { challenge: "Asks a local server for its `proof`." },
  createTask: {
    about: "What it is and why.",
    start: "Takes it at once, as starting it would.",
  },
  dropTask: {
    member: "Whose part it is: the caller's own unless given.",
  },
  finishTask: {
    note: "What came of it.",
    cancelled: "It is no longer needed.",
  },
  startMachineRequest: {
    handle: "Whose key it is to be.",
    label: "What the machine calls itself. The new key is named after it.",
  },
  createJoinCode: {
    guest:
      "Makes a guest code, for this handle: one that is free, or that of a guest of the server.",
  },
  guestJoin: {
    code: "In any case, with or without its dash.",
    key_name: "Names the new key, for example after the machine.",
    name: "The agent's name on the board.",
    harness: "What the agent runs in, for example `claude-code`.",
  },
  join: {
    harness: "What the agent runs in, for example `claude-code`.",
    role: "Needed with a key. With a delegation it is `member` unless given.",
    session:
      "Which session of the harness takes the seat: `<harness>:<id>`, shown to nobody. Needed with a delegation.",
  },
  listBoards: { all: "Adds the open boards that a person is not on." },
  listAsks: {
    board: "Only those of this board.",
    to_me: "Only asks to the caller.",
    from_me: "Only asks of the caller.",
    task: "Only those about this task. A number alone needs `board` for whoever is on several boards.",
  },
  listFiles: {
    task: "Only files about this task.",
    mine: "Only files that the caller wrote a version of.",
  },
  putFile: {
    base: "The version that this one replaces. Left out or 0: only a new file is made.",
    file_id: "The file that was fetched. A file that took its name since is not replaced.",
    brief: "Writes the board's brief. Needed for the names `brief.md` and `brief.html`.",
    replace_format:
      "Writes the brief in its other format: the old file is removed, the new one begins at version 1. `file_id` and `base` are the old one's.",
    maintained: "Kept current, and listed first. Left out: as before. A brief always is.",
    about: "Tasks, the parameter once for each. Left out: as before.",
    media_type: "Left out: by the name's ending.",
  },
  updateFile: {
    name: "The new name.",
    maintained: "Kept current, and listed first. A brief always is.",
    about: "All tasks that the file is about from now on.",
  },
  approveFile: { version: "It takes the place of another version that the person approved." },
  listTasks: {
    state: "`active` is open and in progress.",
    owner: "Only tasks that this member owns.",
    mine: "Only tasks that the caller owns or helps on.",
  },
  listJoinCodes: { ended: "Adds those that were revoked, used up or ran out." },
  listMembers: { removed: "Adds the agents whose seat has ended." },
  listMessages: {
    before: "Only what comes before this position.",
    newest: "Fills the page from the newest matches. They still come oldest first.",
    from: "Only messages of this member.",
    role: "Only messages of senders with this role.",
    to_me: "Only messages addressed to the caller.",
    task: "Only messages about this task.",
  },
  searchBoard: {
    q: 'Words, `"phrases"` and beginnings with a star, such as `deplo*`, or a task\'s reference. All of them must be there.',
    kind: "Only messages, only tasks, or only files.",
    after:
      "Only what comes after this position. A task comes where a text of it last changed, a file where it was last written or renamed.",
    before: "Only what comes before this position, likewise.",
    from: "Only messages of this member, tasks that it opened, and files of which it wrote the newest version.",
    role: "Only those of members with this role.",
    to_me: "Only messages addressed to the caller.",
    task: "Only this task, and messages and files about it.",
    cursor: "The `next` of the answer before.",
  },
  postMessage: {
    to: "`all` alone, or any of `@name`, `role:name` and `owner:handle`.",
    reply_to: "A message of the same board.",
    expects_reply: "Asks the recipients to answer.",
    about:
      "Tasks that it is about, in place of those that would follow from its thread or its sender. None of those if it is empty.",
    ask: "Asks one member, whom `to` names: an agent that leaves it out asks its own person.",
    answer: "Answers the ask that `reply_to` names.",
    files:
      "Versions of the board's files, by name or id; the latest unless said. What they are now is what is attached.",
  },
  pruneAgents: {
    disconnected_for: "Seconds without a session, without a break.",
    all: "Every agent of the server, not only the caller's own.",
    dry_run: "Lists and removes nothing.",
    agents: "Member ids of the agents to remove. Needed unless it is a dry run.",
  },
  removeFromServer: { dry_run: "Only says what would happen." },
  renamePerson: { handle: "In the path the handle of now, in the body the new one." },
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
    work: "What is proposed. It decides nothing for anybody.",
  },
  createPairingCredential: {
    agent_id: "On the inviter's side the initiating agent, else an own one on the board.",
    session_binding: "Names the exact conversation, as a hash.",
    generation: "The request's, as it was read last.",
    replace: "Takes the place of the session that was selected before.",
    client_token: `The credential itself: \`${secretPrefixes.pairing}_\` and 32 random bytes in base64url, made and saved before asking.`,
  },
  acceptPairingRequest: { generation: "The credential's own.", agent_id: "The credential's own." },
  verifyPairingRoundTrip: {
    generation: "The credential's own.",
    direction: "The reporting side stands first.",
    ping_seq: "The message to the other side's agent.",
    reply_seq: "The direct reply to it.",
    handoff_id: "Names the delivery of the reply in the session.",
  },
  updateTask: {
    about: "Replaces the text that was there.",
    stands: "Replaces the text that was there.",
    stands_base:
      "The version that `stands` replaces, 0 when it was never written. Refused when another one is there now.",
  },
  setMidturnPolicy: {
    policy: "Null takes an agent's own away.",
    member_id: "An active agent of the caller's. Without it: the default for all of theirs.",
  },
  reportDeliveryQueue: {
    session: "A label of the reporting session. Shown to nobody, like `boot`.",
    boot: "A label of the session's process.",
    expected_epoch: "Claims: the epoch of now.",
    epoch: "Reports: the epoch that was claimed.",
    revision: "Reports: higher than the last.",
    messages: "Reports: all that wait, each once. None says that nothing does.",
  },
  setAgentLocation: { session_id: "The harness's own id of the session." },
  ackBoard: { up_to: "At most the board's head." },
  ackInbox: { up_to: "At most the board's head." },
};
