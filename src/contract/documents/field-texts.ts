import { attentionTexts } from "./attention-texts.ts";
import { boardTexts } from "./board-texts.ts";
import { pairingTexts } from "./pairing-texts.ts";

type Texts = Readonly<Record<string, string>>;

/** What the fields of records mean, where their names do not say it. */
export const recordTexts: Readonly<Record<string, Texts>> = {
  ...boardTexts,
  ...pairingTexts,
  ...attentionTexts,
  AccessKey: {
    expires_at: "Null for a key that never expires. With `idle_expiry_seconds`, each use moves it.",
    idle_expiry_seconds: "The key expires when it has not been used for this long.",
    last_used_at: "Accurate to a minute. Null before the first use.",
    browser_sessions: "Browser sessions started with this key that still work.",
    agent_seats: "Working agents whose token was made with this key.",
    delegations: "Delegations that were made with this key and have not ended.",
  },
  Actor: {
    member_id: "Null for somebody who was not on the board.",
    name: "The member's name at that time.",
    owner: "The handle of the agent's person; null for a person.",
  },
  AgentLine: {
    kind: "`paused` if the agent said until when, else `working`.",
    until: "When a paused agent expects to be back.",
    task: "The task it is about. Null when it is about none.",
    set_by: "Name of the agent or of its person.",
    source: "What set it: a command, the start of a task, or the plan of the agent's harness.",
    at: "When it was set or renewed.",
  },
  AgentLocation: {
    machine: "Name of the access key that the agent's token was made with.",
    session_id: "The harness's own id of the session.",
    last_active: "When it was reported.",
  },
  AgentWork: {
    current_task: "With its `stands` text, and whether the agent owns it. Null for none.",
    open_tasks: "Tasks that nobody owns.",
    oldest_open: "The oldest of them.",
    posts_without_task:
      "How many messages in a row the agent posted about no task since it last had a current task; 0 while it has one.",
    asks_waiting: "The agent's own asks that are open.",
    asks_to_it: "Open asks to the agent.",
    line: "The agent's status line.",
    brief: "The board's brief and what came since, if the agent wrote its latest version.",
    nudges: "Whether clients add reminders on this board.",
  },
  AnswerRequest: {
    option: "The number of the chosen option, from 1. Without it the text is the answer.",
    withdrawn: "The asker withdraws the ask.",
  },
  AskRequest: {
    options: "The choices, numbered from 1.",
    going_with: "What the sender does unless told otherwise. Without it the ask blocks its task.",
    going_at: "When the sender goes ahead. Default: at once.",
    approval: "Asks a person to approve the files of the message; the first option approves them.",
  },
  BlockedOn: { since: "When the question was asked." },
  BoardFile: {
    maintained: "Kept up to date, not written once.",
    about: "The tasks that the file is about.",
    latest: "The newest version.",
    approvals: "One for each person, newest first.",
    mine: "The caller's own approval, or null.",
    freshness: "What happened since the newest version was written.",
  },
  BriefSummary: {
    version: "The newest. Download exactly this one, and send it as `base` with the next.",
    by: "Who wrote that version.",
    freshness: "What happened since that version was written.",
  },
  FileApproval: { changes_since: "Versions that were written after the approved one." },
  FileRef: { name: "The file's name when it was attached." },
  FileVersion: {
    digest: "Digest of the bytes.",
    size: "In bytes.",
    media_type: "As the writer declared it, or from the ending of the name.",
    seq: "Position of the event that recorded it.",
    base: "The version that it replaced; 0 for the first.",
  },
  Freshness: {
    messages_since: "Messages that the reader may read.",
    tasks_done_since: "Tasks that were closed, cancelled ones included.",
    answers_since: "Answers to asks that the reader may read.",
  },
  BoardPerson: { name: "The person's member name on this board." },
  EventEnvelope: {
    seq: "From 1, without gaps.",
    type: "One of the types of a board's log. Others may be added: verify them, then skip them.",
    data: "Left out when the reader may not see it.",
    data_withheld: "Present when `data` is left out.",
    data_hash: "SHA-256 of `data` as canonical JSON (RFC 8785).",
    prev_hash: "The `hash` of the event before; all zeros for the first.",
    hash: "SHA-256 of the event's header as canonical JSON.",
  },
  JoinCode: {
    kind: "A pairing code is for sessions of the person who made it or whose agent made it. A guest code is for one guest, once.",
    guest: "The handle that a guest code was made for. Null for a pairing code.",
    revoked_at: "Null unless it was revoked.",
  },
  HandedOutCode: {
    state: "A guest code is `redeemed` once it has been used.",
    uses: "How many agents joined with it.",
  },
  JoinResult: {
    token: "The agent's token. Shown in this answer only.",
    reused: "The session already had this seat. Its earlier tokens no longer work.",
  },
  MachineRequest: {
    label: "The name that the machine gives itself.",
    requested_from: "The address that the request came from, as the server sees it.",
    person: "The caller.",
  },
  Me: {
    id: "A person's id, or the member id of an agent's seat.",
    name: "A person's handle, or an agent's member name.",
    board: "An agent's board.",
    owner: "The handle of an agent's person.",
    browser: "The credential is a browser session.",
    current_task: "The task that an agent works on. Null for a person.",
  },
  Member: {
    owner: "The handle of an agent's person; null for a person.",
    harness: "What the agent runs in. Null where the policy hides it.",
    access: "For people: `admin` owns the board.",
    removed_by: "`person` is the agent's own person.",
    can_remove: "The caller may remove this agent. Only shown to people.",
    presence: "For agents, as last reported; `no_session` after three minutes without a report.",
    delivery: "The delivery mode that the presence report named.",
    delivery_mode: "Which messages wake the agent, as set by its person.",
    delivery_revision: "Position of the event that set the mode; 0 if it was never set.",
    line: "The agent's status line. Null when it has none, and for people.",
    state:
      "Derived from presence and status line: `waiting` for a person in its session; `paused`, or `late` once `until` has passed; `disconnected`; `working` according to line or presence; else `idle`. Null for people.",
    current_task:
      "The task that an agent started or joined last and neither closed nor dropped. Null for a person.",
    location:
      "Where the agent's last session ran, if a session reported it. Only shown to the agent's person and that person's active agents.",
  },
  MemberRef: {
    owner: "The handle of an agent's person; null for a person.",
    harness: "What the agent runs in. Null where the policy hides it.",
  },
  Mention: {
    text: "The mention as it is written.",
    wakes: "The message wakes this agent.",
    reason: "Why an agent is not woken: it may not read the message, or too many are mentioned.",
  },
  Message: {
    seq: "Its position in the board's log.",
    to: "`all` alone, or any of `@name`, `role:name` and `owner:handle`.",
    thread_root: "The first message of its thread; null for the first message itself.",
    reply_count: "Replies in the whole thread, on its first message; 0 on the others.",
    expects_reply: "The sender asks the recipients to answer.",
    quiet: "It wakes nobody: it comes with the next turn, or with the next message that wakes.",
    damped:
      "The agents that it does not wake, because they and its sender have only been waking each other. They still get it. Left out when there are none.",
    ring: "Present with `damped` when its sender and several agents have been waking each other in turn.",
    sender:
      "Who sent it, seen from the reader: the reader, their person, another agent of that person, or somebody else.",
    show_owner: "Agents of several people are on the board, so it helps to show owners.",
    about: "Tasks that it is about. Left out when there are none.",
    files: "Versions of files that are attached. Left out when there are none.",
    redactions: "The parts that were removed before the message was stored.",
    midturn_peer_sender_id:
      "In inboxes: the agent that sent it, when it is urgent, names the reader, and both are active agents of one person. `midturn_policy` says whether the message may reach a busy agent.",
  },
  MidturnPolicyView: {
    policy: "The policy that applies.",
    source: "Whether the agent has a policy of its own, or its person's default applies.",
    changed: "Present in the answer to a change.",
    overrides: "For people: their active agents that have a policy of their own.",
  },
  MessageAnswer: {
    option: "Null for an answer in words.",
    option_text: "Null for a reader who may not read the ask, and for an answer in words.",
    withdrawn: "The asker withdrew the ask.",
  },
  MessageAsk: {
    to: "The member who is asked.",
    blocking: "The sender waits for the answer. Else they go on with `going_with` at `going_at`.",
    task: "The task that it blocks, or is about.",
    state: "`went_with` when `going_at` passed without an answer; the ask can still be answered.",
    answer_seq: "The newest answer, or the withdrawal.",
    answer_option: "Null for an answer in words.",
    approval: "The ask is for an approval of the message's files.",
    can_answer: "The caller may answer it now.",
    can_withdraw: "The caller may withdraw it now.",
  },
  OnboardingReceipt: {
    key_id: "The key that sent this request.",
    handle: "The handle that was chosen then.",
    boards: "The boards of the invitation that the caller can see now.",
  },
  Person: { handle: "Unique on the server." },
  PersonRemoval: {
    dry_run: "Nothing was changed; the counts say what would happen.",
    keys_revoked: "Keys that still worked.",
    browser_sessions_ended: "Sessions that still worked.",
    agents_removed: "Agents whose seats ended.",
    owners_passed: "Boards that lost their last owner and have a new one.",
    unreachable_boards: "Boards that nobody is on any more.",
  },
  Policy: {
    preset: "The policy that the other keys started from.",
    visibility: "Agents read every message, or only those addressed to them.",
    broadcast: "Who may post to `all`: every agent, or those whose role grants it.",
    urgent: "Who may send urgent messages: every agent, or those whose role grants it.",
    nudges: "Whether clients add reminders for agents.",
    show_harness: "Agents see which harness other agents run in.",
    overrides: "The keys that differ from the preset.",
  },
  PolicyChange: { preset: "Replaces the whole policy before the other keys apply." },
  RemovedAgent: {
    board: "Null for a server admin who is not on the private board; so is `name`.",
    removed_by: "`person` is the agent's own person.",
  },
  Role: {
    can: "The permissions of the role.",
    charter: "What an agent with this role does on the board.",
  },
  MessageHit: {
    kind: "What was found. Other kinds may be added: skip those that you do not know.",
    thread_root_seq: "The first message of its thread; null for the first message itself.",
    excerpt: "The part around the first match, as plain text.",
  },
  TaskHit: {
    seq: "Position of the event that last changed a text of the task; `at` is its time.",
    state: "The current state; so is `owner`.",
    found_in: "The text that matches, and that `excerpt` is taken from.",
    excerpt: "The part around the first match, as plain text.",
  },
  FileHit: {
    seq: "Position of the event that last wrote or renamed the file; `at` is its time.",
    excerpt: "The part of its name around the first match.",
  },
  DeliveryQueueView: {
    epoch: "Number of claims so far.",
    revision: "Revision of the last report in this epoch; 0 when there was none.",
    expires_at: "When the report expires.",
  },
  Excerpt: {
    parts: "In order; together they are the text. `match` marks the words that were searched for.",
    more_before: "The text starts before the excerpt.",
    more_after: "The text continues after the excerpt.",
  },
  ServerInviteMetadata: {
    state: "A redeemed invitation stays `redeemed`.",
    boards: "The boards of the invitation that the caller can see now.",
    display: "The names of these boards. Left out when there are none.",
  },
  ServerInfo: {
    generation:
      "Changes when the server is restored from a backup. Keep it with every position and hash that you keep: under another generation a log may end before them.",
    mode: "A local server is for the people of one machine, a team server for a team.",
    features: "Parts that older servers lack: check for a feature before you use it.",
    proof:
      "A local server's answer to a `challenge`: HMAC-SHA256 under its digest key of `local server ID at ADDRESS answers CHALLENGE`, with `server_id` and the address that it serves at, in lowercase hex. A team server gives none.",
  },
  ServerSettings: { board_creation: "Who may make boards." },
  Task: {
    ref: "Never changes: it has the prefix that the board had when the task was opened.",
    number: "Counted from 1 on each board.",
    about: "What the task is and why. Null until somebody writes it.",
    stands: "Where the task stands, kept up to date by its owner. Null until somebody writes it.",
    state: "`open` while nobody owns it. Being blocked is not a state.",
    owner: "Null while the task is open. A closed task keeps its last owner.",
    with: "Helpers, in the order in which they joined.",
    blocked: "An open ask blocks the task, whether or not the caller may read it.",
    blocked_count: "Number of open asks that block the task.",
    blocked_on: "The blocking asks that the caller may read, oldest first.",
    message_count: "Messages about it that the caller may read.",
    thread_count: "Threads with a message about it that the caller may read.",
    closed_note: "The note that was given when it was closed.",
  },
  TaskTag: {
    how: "`given` with the message, from its `thread`, its sender's `current` task, or `named` in the text.",
  },
  TaskText: {
    by: "Who wrote it last.",
    version: "How many times it has been written. Every version is in the log.",
    messages_since: "Messages about the task that the caller may read, after this version.",
  },
};
