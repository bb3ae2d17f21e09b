import { operationNames, type OperationName } from "../../src/contract/index.ts";

/** Who may make an operation, written from the contract and not from the table. */
export const who = {
  anyone: [
    "getInfo",
    "connect",
    ...["previewLoginCode", "startBrowserSession", "createBrowserToken"],
    ...["startMachineRequest", "collectMachineRequest", "guestJoin"],
  ],
  members: [
    ...["getMe", "listServerPeople", "listBoards", "getBoard", "updateBoard", "listPeople"],
    ...["addPerson", "createJoinCode", "revokeJoinCode", "listMembers", "postMessage"],
    "listJoinCodes",
    ...["listMessages", "getReceipts", "getMessage", "listReplies", "addReaction"],
    ...["removeReaction", "listThreads", "ackBoard", "listEvents", "archiveBoard", "restoreBoard"],
    ...["listTasks", "createTask", "getTask", "updateTask"],
    ...["startTask", "joinTask", "finishTask", "dropTask"],
    ...["searchBoard", "listAsks", "getMidturnPolicy", "listOwnAgents"],
    ...["listFiles", "putFile", "getFile", "removeFile", "updateFile", "getFileVersion"],
    ...["listPairingRequests", "createPairingRequest", "getPairingRequest"],
  ],
  people: [
    ...["getSettings", "createBoard", "setDeliveryMode", "removeAgent", "stream"],
    ...["removePerson", "leaveBoard", "addOwner", "setVisibility", "deleteBoard"],
    ...["pruneAgents", "setMemberLine", "clearMemberLine", "setMidturnPolicy"],
    ...["approveFile", "removeFileApproval"],
    ...["getAllowance", "setAllowance", "declinePairingRequest", "cancelPairingRequest"],
  ],
  /** People with a key of their own: a browser is not enough. */
  keyHolders: [
    ...["listKeys", "createKey", "revokeKey", "join", "createLoginCode", "listBrowserSessions"],
    ...["endBrowserSession", "endBrowserTokens", "createDelegation"],
    ...["renamePerson", "listServerInvites", "revokeServerInvite", "getOnboardingReceipt"],
    ...["lookupMachineRequest", "approveMachineRequest", "refuseMachineRequest"],
    "createPairingCredential",
  ],
  browsers: ["getBrowserSession", "signOut"],
  admins: ["updateSettings", "createServerInvite", "setServerRole", "removeFromServer"],
  agents: [
    ...["leaveAsAgent", "getInbox", "ackInbox", "setPresence", "setLine", "clearLine"],
    ...["getDeliveryQueue", "reportDeliveryQueue", "setAgentLocation"],
  ],
  machines: ["createDelegatedBoard"],
  /** Sessions that are being paired, and nobody else. */
  pairings: ["acceptPairingRequest", "verifyPairingRoundTrip"],
};
/** What an operation's path names, likewise. */
export const where = {
  nothing: [
    ...["getInfo", "connect", "getMe", "getSettings", "updateSettings", "listServerPeople"],
    ...["createServerInvite", "listKeys", "createKey", "revokeKey", "createBoard", "listBoards"],
    "listAsks",
    ...["previewLoginCode", "startBrowserSession", "createBrowserToken", "createLoginCode"],
    ...["listBrowserSessions", "endBrowserSession", "endBrowserTokens", "getBrowserSession"],
    ...["signOut", "join", "leaveAsAgent", "getInbox", "ackInbox", "setPresence", "stream"],
    ...["startMachineRequest", "lookupMachineRequest", "approveMachineRequest"],
    ...["refuseMachineRequest", "collectMachineRequest", "createDelegation"],
    ...["createDelegatedBoard"],
    ...["guestJoin", "pruneAgents", "setLine", "clearLine"],
    ...["getMidturnPolicy", "setMidturnPolicy", "getDeliveryQueue", "reportDeliveryQueue"],
    ...["setAgentLocation", "listOwnAgents"],
    ...["setServerRole", "removeFromServer", "renamePerson", "listServerInvites"],
    ...["revokeServerInvite", "getOnboardingReceipt", "getAllowance", "setAllowance"],
    ...["listPairingRequests", "createPairingRequest", "getPairingRequest"],
    ...["declinePairingRequest", "cancelPairingRequest", "createPairingCredential"],
    ...["acceptPairingRequest", "verifyPairingRoundTrip"],
  ],
  boardSeen: ["getBoard", "listPeople", "addPerson"],
  boardJoined: [
    ...["updateBoard", "createJoinCode", "revokeJoinCode", "listMembers", "setDeliveryMode"],
    "listJoinCodes",
    ...["postMessage", "listMessages", "getReceipts", "listThreads", "ackBoard", "listEvents"],
    ...["removeAgent", "removePerson", "leaveBoard", "addOwner", "setVisibility"],
    ...["archiveBoard", "restoreBoard", "deleteBoard", "setMemberLine", "clearMemberLine"],
    ...["listTasks", "createTask", "getTask", "updateTask"],
    ...["startTask", "joinTask", "finishTask", "dropTask"],
    ...["listFiles", "putFile", "getFile", "removeFile", "updateFile", "getFileVersion"],
    ...["approveFile", "removeFileApproval"],
    "searchBoard",
  ],
  message: ["getMessage", "listReplies", "addReaction", "removeReaction"],
};
/** Operations that answer 201. */
export const made = [
  ...["createServerInvite", "connect", "createKey", "createBoard", "addPerson"],
  ...["createLoginCode", "startBrowserSession", "createBrowserToken"],
  ...["createJoinCode", "join", "postMessage", "startMachineRequest", "collectMachineRequest"],
  ...["createDelegation", "createDelegatedBoard"],
  ...["guestJoin", "createTask", "putFile", "createPairingRequest"],
];

export const all = operationNames as string[];
/** For the key alone that an invitation was redeemed with. */
export const forNewcomers = ["getOnboardingReceipt"];
export const forKeys = [...who.members, ...who.people, ...who.keyHolders, ...who.admins];
export const forBrowsers = [...who.members, ...who.people, ...who.browsers];
export const forAgents = [...who.members, ...who.agents];

/** What each of some operations came to. */
export async function verdicts(
  names: readonly string[],
  of: (name: OperationName) => Promise<string>,
) {
  const found: Record<string, string> = {};
  for (const name of names) found[name] = await of(name as OperationName);
  return found;
}
export const each = (names: readonly string[], verdict: string) =>
  Object.fromEntries(names.map((name) => [name, verdict]));
export const without = (names: readonly string[], left: readonly string[]) =>
  names.filter((name) => !left.includes(name));

/** What an archived board does not take, likewise; all else goes on. */
export const refusedOnArchive = [
  ...["createPairingRequest", "createPairingCredential"],
  ...["updateBoard", "addPerson", "addOwner", "createJoinCode", "join", "postMessage"],
  ...["addReaction", "removeReaction"],
  ...["createTask", "updateTask", "startTask", "joinTask", "finishTask", "dropTask"],
  ...["putFile", "removeFile", "updateFile", "approveFile", "removeFileApproval"],
];

const ending = ["removeAgent", "leaveBoard", "restoreBoard", "archiveBoard", "deleteBoard"];
/** Operations in an order in which one caller can make them all: what ends something comes last. */
export const lastly = (names: readonly string[]) => {
  const last = [...ending, "leaveAsAgent", "endBrowserTokens", "signOut"];
  return names.toSorted((a, b) => last.indexOf(a) - last.indexOf(b));
};
