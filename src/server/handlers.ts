import { moveBoard } from "./boards/move-board.ts";
import { getNumbers } from "./numbers/get-numbers.ts";
import type { OperationName } from "../contract/index.ts";
import type { StreamName } from "../contract/streams.ts";
import { leaveAsAgent } from "./agents/leave-as-agent.ts";
import { clearLine, clearMemberLine, setLine, setMemberLine } from "./agents/lines.ts";
import { listOwnAgents } from "./agents/list-own-agents.ts";
import { setAgentLocation } from "./agents/set-agent-location.ts";
import { listMembers } from "./agents/list-members.ts";
import { pruneAgents, pruneAgentsAgain } from "./agents/prune-agents.ts";
import { removeAgent, removeAgentAgain } from "./agents/remove-agent.ts";
import { setDeliveryMode } from "./delivery/set-delivery-mode.ts";
import { setPresence } from "./agents/set-presence.ts";
import { getAttention, getAttentionWait } from "./attention/get-attention.ts";
import { dismissAttention, endSnooze, itemAgain, snoozeAttention } from "./attention/put-aside.ts";
import { addPerson, addPersonAgain } from "./boards/add-person.ts";
import { addOwner, leaveBoard, removePerson } from "./boards/end-membership.ts";
import { archiveBoard, deleteBoard, deletedAgain, restoreBoard } from "./boards/lifecycle.ts";
import { setVisibility } from "./boards/set-visibility.ts";
import { exportBoard } from "./exporting/export-board.ts";
import { importBoard, importBoardAgain } from "./importing/import-board.ts";
import { collidedAgain, createBoard, createBoardAgain } from "./boards/create-board.ts";
import { getBoard } from "./boards/get-board.ts";
import { listBoards } from "./boards/list-boards.ts";
import { listPeople } from "./boards/list-people.ts";
import { updateBoard } from "./boards/update-board.ts";
import { getDeliveryQueue } from "./delivery/get-delivery-queue.ts";
import { getMidturnPolicy } from "./delivery/get-midturn-policy.ts";
import { reportDeliveryQueue, reportDeliveryQueueAgain } from "./delivery/report-delivery-queue.ts";
import { setMidturnPolicy } from "./delivery/set-midturn-policy.ts";
import { listEvents } from "./events/list-events.ts";
import {
  createBrowserToken,
  endBrowserSession,
  endBrowserTokens,
  getBrowserSession,
  listBrowserSessions,
  signOut,
  startBrowserSession,
} from "./sign-in/browser-sessions.ts";
import { createLoginCode, previewLoginCode } from "./sign-in/login-code-operations.ts";
import { approveFile, removeFileApproval } from "./files/approvals.ts";
import { getFileVersion } from "./files/get-file-version.ts";
import { getFile } from "./files/get-file.ts";
import { listFiles } from "./files/list-files.ts";
import { beforePutFile, putFile } from "./files/put-file.ts";
import { removeFile } from "./files/remove-file.ts";
import { updateFile } from "./files/update-file.ts";
import type { BeforeBytes, Handler, Recheck, RefusalRecheck, Wait } from "./handler.ts";
import { ackBoard, ackInbox } from "./inbox/acknowledge.ts";
import { getInbox, getInboxWait } from "./inbox/get-inbox.ts";
import {
  createBackup,
  deleteBackup,
  getBackup,
  listBackups,
  listRestores,
} from "./backup/operations.ts";
import { getInfo, getSettings, updateSettings } from "./info.ts";
import { createJoinCode } from "./joining/create-join-code.ts";
import { guestJoin } from "./joining/guest-join.ts";
import { join, joinAgain, joinRefusedAgain } from "./joining/join.ts";
import { listJoinCodes } from "./joining/list-join-codes.ts";
import { revokeJoinCode } from "./joining/revoke-join-code.ts";
import { collectMachineRequest } from "./machines/collect-machine-request.ts";
import {
  createDelegatedBoard,
  createDelegatedBoardAgain,
} from "./machines/create-delegated-board.ts";
import { createDelegation } from "./machines/create-delegation.ts";
import {
  approveMachineRequest,
  lookupMachineRequest,
  refuseMachineRequest,
} from "./machines/decide-machine-request.ts";
import { startMachineRequest } from "./machines/start-machine-request.ts";
import { getMessage } from "./messages/get-message.ts";
import { getReceipts } from "./messages/get-receipts.ts";
import { listMessages } from "./messages/list-messages.ts";
import { listReplies, listRepliesWait } from "./messages/list-replies.ts";
import { listAsks } from "./asks/list-asks.ts";
import { listThreads } from "./messages/list-threads.ts";
import { postMessage } from "./messages/post-message.ts";
import { addReaction, removeReaction } from "./messages/reactions.ts";
import { acceptPairingRequest } from "./pairing/accept-pairing-request.ts";
import {
  createPairingCredential,
  createPairingCredentialAgain,
} from "./pairing/create-pairing-credential.ts";
import {
  createPairingRequest,
  createPairingRequestAgain,
} from "./pairing/create-pairing-request.ts";
import { cancelPairingRequest, declinePairingRequest } from "./pairing/end-pairing-request.ts";
import { getPairingRequest, listPairingRequests } from "./pairing/read-pairing-requests.ts";
import { verifyPairingRoundTrip } from "./pairing/verify-pairing-round-trip.ts";
import { getAllowance, setAllowance } from "./pairing/allowance.ts";
import { connect } from "./people/connect.ts";
import { createServerInvite } from "./people/create-server-invite.ts";
import { getMe } from "./people/get-me.ts";
import { getOnboardingReceipt } from "./people/get-onboarding-receipt.ts";
import { createKey, listKeys, revokeKey } from "./people/keys.ts";
import { listServerInvites } from "./people/list-server-invites.ts";
import { listServerPeople } from "./people/list-server-people.ts";
import { removeFromServer } from "./people/remove-from-server.ts";
import { renamePerson, renamePersonAgain, renameRefusedAgain } from "./people/rename-person.ts";
import { revokeServerInvite } from "./people/revoke-server-invite.ts";
import { setServerRole } from "./people/set-server-role.ts";
import { createTask } from "./tasks/create-task.ts";
import { dropTask } from "./tasks/drop-task.ts";
import { finishTask } from "./tasks/finish-task.ts";
import { getTask } from "./tasks/get-task.ts";
import { joinTask } from "./tasks/join-task.ts";
import { listTasks } from "./tasks/list-tasks.ts";
import { startTask } from "./tasks/start-task.ts";
import { updateTask } from "./tasks/update-task.ts";
import { searchBoard } from "./search/search-board.ts";

/** The rule of every operation but the streams. The compiler refuses a missing or an extra one. */
export const handlers: { [N in Exclude<OperationName, StreamName>]: Handler<N> } = {
  getInfo,
  getMe,
  getSettings,
  updateSettings,
  createBackup,
  listBackups,
  getBackup,
  deleteBackup,
  listRestores,
  getNumbers,
  listServerPeople,
  createLoginCode,
  previewLoginCode,
  startBrowserSession,
  listBrowserSessions,
  endBrowserSession,
  getBrowserSession,
  signOut,
  createBrowserToken,
  endBrowserTokens,
  setServerRole,
  removeFromServer,
  renamePerson,
  listServerInvites,
  createServerInvite,
  revokeServerInvite,
  connect,
  getOnboardingReceipt,
  getAllowance,
  setAllowance,
  listKeys,
  createKey,
  revokeKey,
  startMachineRequest,
  lookupMachineRequest,
  approveMachineRequest,
  refuseMachineRequest,
  collectMachineRequest,
  createDelegation,
  createDelegatedBoard,
  createBoard,
  importBoard,
  exportBoard,
  listBoards,
  getBoard,
  updateBoard,
  listPeople,
  addPerson,
  removePerson,
  leaveBoard,
  addOwner,
  setVisibility,
  archiveBoard,
  restoreBoard,
  moveBoard,
  deleteBoard,
  createJoinCode,
  listJoinCodes,
  revokeJoinCode,
  join,
  guestJoin,
  listMembers,
  setDeliveryMode,
  removeAgent,
  leaveAsAgent,
  pruneAgents,
  postMessage,
  listMessages,
  getReceipts,
  getMessage,
  listReplies,
  addReaction,
  removeReaction,
  listThreads,
  listAsks,
  listTasks,
  createTask,
  getTask,
  updateTask,
  startTask,
  joinTask,
  finishTask,
  dropTask,
  listFiles,
  putFile,
  getFile,
  removeFile,
  updateFile,
  getFileVersion,
  approveFile,
  removeFileApproval,
  listPairingRequests,
  createPairingRequest,
  getPairingRequest,
  acceptPairingRequest,
  declinePairingRequest,
  cancelPairingRequest,
  verifyPairingRoundTrip,
  createPairingCredential,
  searchBoard,
  getInbox,
  ackInbox,
  ackBoard,
  setPresence,
  setLine,
  clearLine,
  setMemberLine,
  clearMemberLine,
  getMidturnPolicy,
  setMidturnPolicy,
  getDeliveryQueue,
  reportDeliveryQueue,
  setAgentLocation,
  listOwnAgents,
  getAttention,
  snoozeAttention,
  endSnooze,
  dismissAttention,
  listEvents,
};

/** The operations that can wait: when their answer is empty, and what may change that. */
export const waits: { [N in "getInbox" | "listReplies" | "getAttention"]: Wait<N> } = {
  getInbox: getInboxWait,
  listReplies: listRepliesWait,
  getAttention: getAttentionWait,
};

/** The checks of uploads before their bytes are read. */
export const uploads: { putFile: BeforeBytes<"putFile"> } = { putFile: beforePutFile };

/**
 * Checks of a kept answer, after `admit` and `requireRight` have checked its caller again. Each comment names the content
 * of the answer that these two do not protect.
 */
export const rechecks: { [N in OperationName]?: Recheck<N> } = {
  // The new board: the caller may no longer see it. So too for one that came in.
  createBoard: createBoardAgain,
  importBoard: importBoardAgain,
  // A token: its seat may have ended, or may have another token.
  createDelegatedBoard: createDelegatedBoardAgain,
  // The person may have left again, and an agent may have lost the right to add people.
  addPerson: addPersonAgain,
  // A token, as above. The way onto the board may be closed too.
  join: joinAgain,
  // The agent's name, board and owner, which an admin may no longer see.
  removeAgent: removeAgentAgain,
  // Names of several boards, and other people's agents if the caller asked for all.
  pruneAgents: pruneAgentsAgain,
  // The board no longer exists, so `admit` cannot check who could have deleted it.
  deleteBoard: deletedAgain,
  // The person's name: the path has their old handle.
  renamePerson: renamePersonAgain,
  // The claim that was reported: another claim may be valid now.
  reportDeliveryQueue: reportDeliveryQueueAgain,
  // The agent and the recipient, and whether an agent may still bring people in.
  createPairingRequest: createPairingRequestAgain,
  // What a member wrote, on a board that the person may have left.
  snoozeAttention: itemAgain,
  endSnooze: itemAgain,
  dismissAttention: itemAgain,
  // The new credential: it may have ended or been replaced.
  createPairingCredential: createPairingCredentialAgain,
};

/** Checks of a kept refusal whose text has facts that `admit` does not protect. */
export const refusalRechecks: { [N in OperationName]?: RefusalRecheck<N> } = {
  // The name of an archived board, which the caller may have left.
  createBoard: collidedAgain,
  createDelegatedBoard: collidedAgain,
  // The state of a board or a code, which the caller may no longer see.
  join: joinRefusedAgain,
  // Which people exist: only admins see that, and the caller may no longer be one.
  renamePerson: renameRefusedAgain,
};
