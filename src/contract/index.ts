import { listAsks } from "./asks.ts";
import * as attention from "./attention.ts";
import { exportBoard, importBoard } from "./board-archive.ts";
import { getAllowance, setAllowance } from "./allowance.ts";
import * as boardPeople from "./board-people.ts";
import * as backups from "./backups.ts";
import * as boards from "./boards.ts";
import { setDeliveryMode } from "./delivery-mode.ts";
import { getDeliveryQueue, reportDeliveryQueue } from "./delivery-queue.ts";
import * as files from "./files.ts";
import * as guests from "./signing-in/guest-join.ts";
import * as inbox from "./inbox.ts";
import * as invites from "./signing-in/server-invites.ts";
import { streamInbox } from "./inbox-stream.ts";
import * as joining from "./joining.ts";
import * as lifecycle from "./lifecycle.ts";
import * as lines from "./lines.ts";
import { listEvents } from "./log.ts";
import * as machines from "./signing-in/machines.ts";
import * as messages from "./messages.ts";
import { getMidturnPolicy, setMidturnPolicy } from "./delivery-midturn.ts";
import { getNumbers } from "./numbers.ts";
import type { Input, Operation, Output } from "./operation.ts";
import { listOwnAgents, setAgentLocation } from "./own-agents.ts";
import * as pairingEndpoints from "./pairing/pairing-credentials.ts";
import * as pairing from "./pairing/pairing-requests.ts";
import * as people from "./people.ts";
import { searchBoard } from "./search.ts";
import * as signIn from "./signing-in/browser-sign-in.ts";
import { pruneAgents } from "./prune.ts";
import * as serverPeople from "./server-people.ts";
import * as server from "./server.ts";
import { stream } from "./stream.ts";
import * as tasks from "./tasks.ts";

/** Every operation of the service by name. Server, client, command line, documents and tests are derived from this table. */
export const operations = {
  getInfo: server.getInfo,
  getMe: people.getMe,
  getSettings: server.getSettings,
  updateSettings: server.updateSettings,
  createBackup: backups.createBackup,
  listBackups: backups.listBackups,
  getBackup: backups.getBackup,
  deleteBackup: backups.deleteBackup,
  listRestores: backups.listRestores,
  getNumbers,
  listServerPeople: people.listServerPeople,
  createLoginCode: signIn.createLoginCode,
  previewLoginCode: signIn.previewLoginCode,
  startBrowserSession: signIn.startBrowserSession,
  listBrowserSessions: signIn.listBrowserSessions,
  endBrowserSession: signIn.endBrowserSession,
  getBrowserSession: signIn.getBrowserSession,
  signOut: signIn.signOut,
  createBrowserToken: signIn.createBrowserToken,
  endBrowserTokens: signIn.endBrowserTokens,
  setServerRole: serverPeople.setServerRole,
  removeFromServer: serverPeople.removeFromServer,
  renamePerson: serverPeople.renamePerson,
  listServerInvites: invites.listServerInvites,
  createServerInvite: invites.createServerInvite,
  revokeServerInvite: invites.revokeServerInvite,
  connect: invites.connect,
  getOnboardingReceipt: invites.getOnboardingReceipt,
  getAllowance,
  setAllowance,
  listKeys: people.listKeys,
  createKey: people.createKey,
  revokeKey: people.revokeKey,
  startMachineRequest: machines.startMachineRequest,
  lookupMachineRequest: machines.lookupMachineRequest,
  approveMachineRequest: machines.approveMachineRequest,
  refuseMachineRequest: machines.refuseMachineRequest,
  collectMachineRequest: machines.collectMachineRequest,
  createDelegation: machines.createDelegation,
  createDelegatedBoard: machines.createDelegatedBoard,
  createBoard: boards.createBoard,
  importBoard,
  exportBoard,
  listBoards: boards.listBoards,
  getBoard: boards.getBoard,
  updateBoard: boards.updateBoard,
  listPeople: boards.listPeople,
  addPerson: boards.addPerson,
  removePerson: boardPeople.removePerson,
  leaveBoard: boardPeople.leaveBoard,
  addOwner: boardPeople.addOwner,
  setVisibility: lifecycle.setVisibility,
  archiveBoard: lifecycle.archiveBoard,
  restoreBoard: lifecycle.restoreBoard,
  moveBoard: lifecycle.moveBoard,
  deleteBoard: lifecycle.deleteBoard,
  createJoinCode: joining.createJoinCode,
  listJoinCodes: joining.listJoinCodes,
  revokeJoinCode: joining.revokeJoinCode,
  join: joining.join,
  guestJoin: guests.guestJoin,
  listMembers: joining.listMembers,
  setDeliveryMode,
  removeAgent: joining.removeAgent,
  leaveAsAgent: joining.leaveAsAgent,
  pruneAgents,
  postMessage: messages.postMessage,
  listMessages: messages.listMessages,
  getReceipts: messages.getReceipts,
  getMessage: messages.getMessage,
  listReplies: messages.listReplies,
  addReaction: messages.addReaction,
  removeReaction: messages.removeReaction,
  listThreads: messages.listThreads,
  listAsks,
  listTasks: tasks.listTasks,
  createTask: tasks.createTask,
  getTask: tasks.getTask,
  updateTask: tasks.updateTask,
  startTask: tasks.startTask,
  joinTask: tasks.joinTask,
  finishTask: tasks.finishTask,
  dropTask: tasks.dropTask,
  listFiles: files.listFiles,
  putFile: files.putFile,
  getFile: files.getFile,
  removeFile: files.removeFile,
  updateFile: files.updateFile,
  getFileVersion: files.getFileVersion,
  approveFile: files.approveFile,
  removeFileApproval: files.removeFileApproval,
  listPairingRequests: pairing.listPairingRequests,
  createPairingRequest: pairing.createPairingRequest,
  getPairingRequest: pairing.getPairingRequest,
  acceptPairingRequest: pairingEndpoints.acceptPairingRequest,
  declinePairingRequest: pairing.declinePairingRequest,
  cancelPairingRequest: pairing.cancelPairingRequest,
  verifyPairingRoundTrip: pairingEndpoints.verifyPairingRoundTrip,
  createPairingCredential: pairingEndpoints.createPairingCredential,
  searchBoard,
  getInbox: inbox.getInbox,
  ackInbox: inbox.ackInbox,
  ackBoard: inbox.ackBoard,
  setPresence: inbox.setPresence,
  setLine: lines.setLine,
  clearLine: lines.clearLine,
  setMemberLine: lines.setMemberLine,
  clearMemberLine: lines.clearMemberLine,
  getMidturnPolicy,
  setMidturnPolicy,
  getDeliveryQueue,
  reportDeliveryQueue,
  setAgentLocation,
  listOwnAgents,
  getAttention: attention.getAttention,
  snoozeAttention: attention.snoozeAttention,
  endSnooze: attention.endSnooze,
  dismissAttention: attention.dismissAttention,
  listEvents,
  stream,
  streamInbox,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;
/** What an operation takes: path, query and body. */
export type InputOf<Name extends OperationName> = Input<Operations[Name]>;
/** What an operation answers. */
export type OutputOf<Name extends OperationName> = Output<Operations[Name]>;

export const operationNames = Object.keys(operations) as OperationName[];

/** An operation of the table without its exact types. */
export const operationNamed = (name: OperationName): Operation => operations[name] as Operation;
