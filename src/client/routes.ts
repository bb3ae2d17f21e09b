import type { OperationName } from "../contract/index.ts";

/**
 * Method and path of every operation. It repeats the contract's table, which a test compares it with, because
 * a client that only calls needs none of the schemas, and building them takes longer than a call.
 */
export const routes: Record<OperationName, string> = {
  getInfo: "GET /v1/info",
  getMe: "GET /v1/me",
  getSettings: "GET /v1/settings",
  updateSettings: "PATCH /v1/settings",
  listServerPeople: "GET /v1/people",
  createServerInvite: "POST /v1/invites",
  connect: "POST /v1/connect",
  listKeys: "GET /v1/keys",
  createKey: "POST /v1/keys",
  revokeKey: "DELETE /v1/keys/:key",
  createBoard: "POST /v1/boards",
  listBoards: "GET /v1/boards",
  getBoard: "GET /v1/boards/:board",
  updateBoard: "PATCH /v1/boards/:board",
  listPeople: "GET /v1/boards/:board/people",
  addPerson: "POST /v1/boards/:board/people",
  removePerson: "DELETE /v1/boards/:board/people/:handle",
  leaveBoard: "POST /v1/boards/:board/leave",
  addOwner: "POST /v1/boards/:board/owners",
  setVisibility: "POST /v1/boards/:board/visibility",
  archiveBoard: "POST /v1/boards/:board/archive",
  restoreBoard: "POST /v1/boards/:board/restore",
  deleteBoard: "POST /v1/boards/:board/delete",
  createJoinCode: "POST /v1/boards/:board/join-codes",
  revokeJoinCode: "DELETE /v1/boards/:board/join-codes/:join_code",
  join: "POST /v1/join",
  guestJoin: "POST /v1/guest-join",
  listMembers: "GET /v1/boards/:board/members",
  setDeliveryMode: "PUT /v1/boards/:board/members/:member/delivery",
  removeAgent: "DELETE /v1/boards/:board/members/:member",
  leaveAsAgent: "POST /v1/me/leave",
  pruneAgents: "POST /v1/agents/prune",
  postMessage: "POST /v1/boards/:board/messages",
  listMessages: "GET /v1/boards/:board/messages",
  getReceipts: "GET /v1/boards/:board/messages/:seq/receipts",
  getMessage: "GET /v1/messages/:message",
  listReplies: "GET /v1/messages/:message/replies",
  addReaction: "PUT /v1/messages/:message/reactions/:reaction",
  removeReaction: "DELETE /v1/messages/:message/reactions/:reaction",
  listThreads: "GET /v1/boards/:board/threads",
  getInbox: "GET /v1/me/inbox",
  ackInbox: "POST /v1/me/inbox/ack",
  ackBoard: "POST /v1/boards/:board/ack",
  setPresence: "PUT /v1/me/presence",
  listEvents: "GET /v1/boards/:board/events",
  stream: "GET /v1/stream",
};

/** Whether an operation changes anything. No GET does. */
export const isWrite = (name: OperationName): boolean => !routes[name].startsWith("GET ");
