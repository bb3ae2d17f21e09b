import type { InputOf, OperationName, OutputOf } from "../../contract/index.ts";
import { sessionWithDigest } from "../../db/credentials.ts";
import type { Answer } from "./kept-answers.ts";
import { fieldsOf, logsRequests } from "./request-log.ts";
import type { Call } from "./request-stages.ts";
import type { ServerParts } from "./server-parts.ts";

/** What a line says about an answer: the event, and ids. Null if nothing was changed. */
type Told = { readonly event: string; readonly [more: string]: unknown } | null;
type Tell<N extends OperationName> = (
  answer: OutputOf<N>,
  input: InputOf<N>,
  parts: ServerParts,
) => Told;

/** What is logged of the operations that change who gets in, and what they may do. */
const tellings: { readonly [N in OperationName]?: Tell<N> } = {
  connect: ({ person, key }) => ({ event: "person.joined", ...newcomer(person, key) }),
  guestJoin: ({ person, key }) => ({ event: "guest.joined", ...newcomer(person, key) }),
  startBrowserSession: ({ id, person, key, started_with }) => ({
    event: "signed-in",
    ...newcomer(person, key),
    session: id,
    with: started_with,
  }),
  createBrowserToken: ({ token }, _input, { db, tools }) => {
    const found = db.read((tx) => sessionWithDigest(tx, tools.secrets.digest(token)))!;
    return {
      event: "signed-in",
      ...newcomer(found.person, found.key),
      session: found.session!.id,
      with: "login_code",
    };
  },
  endBrowserSession: ({ id, key }) => ({ event: "signed-out", session: id, key: key.id }),
  signOut: ({ id, key }) => ({ event: "signed-out", session: id, key: key.id }),
  endBrowserTokens: ({ ended }) => (ended === 0 ? null : { event: "signed-out", sessions: ended }),
  createKey: ({ id }) => ({ event: "key.made", key: id }),
  collectMachineRequest: (answer) =>
    "key" in answer ? { event: "key.made", ...newcomer(answer.person, answer.key) } : null,
  // A repeat changes nothing: its line has the same moment.
  revokeKey: ({ id, revoked_at }) => ({ event: "key.revoked", key: id, revoked_at }),
  createDelegation: ({ id, key_id }) => ({ event: "delegation.made", delegation: id, key: key_id }),
  approveMachineRequest: () => ({ event: "machine.approved" }),
  createServerInvite: ({ id }) => ({ event: "invitation.made", invitation: id }),
  revokeServerInvite: ({ id, changed }) =>
    changed ? { event: "invitation.revoked", invitation: id } : null,
  createJoinCode: ({ id, kind }) => ({ event: "join-code.made", join_code: id, kind }),
  // A repeat changes nothing: its line has the same moment.
  revokeJoinCode: ({ id, revoked_at }) => ({
    event: "join-code.revoked",
    join_code: id,
    revoked_at,
  }),
  setServerRole: ({ person, changed }) =>
    changed ? { event: "role.changed", person: person.id, role: person.server_role } : null,
  removeFromServer: ({ person, dry_run, keys_revoked, agents_removed }) =>
    dry_run ? null : { event: "person.removed", person: person.id, keys_revoked, agents_removed },
  removePerson: ({ id, member_id }) => ({
    event: "person.removed-from-board",
    person: id,
    member: member_id,
  }),
  leaveBoard: ({ id, member_id }) => ({
    event: "person.left-board",
    person: id,
    member: member_id,
  }),
  leaveAsAgent: ({ id }) => ({ event: "agent.left", agent: id }),
  deleteBoard: ({ id, changed }) => (changed ? { event: "board.deleted", board: id } : null),
  addOwner: ({ id, member_id }) => ({ event: "owner.made", person: id, member: member_id }),
  removeAgent: ({ id, owner_id }) => ({ event: "agent.removed", agent: id, person: owner_id }),
  pruneAgents: ({ dry_run, agents }) =>
    dry_run || agents.length === 0
      ? null
      : { event: "agents.removed", agents: agents.map(({ id }) => id) },
};

const newcomer = (person: { readonly id: string }, key: { readonly id: string }) => ({
  person: person.id,
  key: key.id,
});

/** Logs what an answer changed about who gets in and what they may do. A repeat changed nothing. */
export function logSecurity({ parts, name, seen, input }: Call, answer: Answer): void {
  const tell = tellings[name] as Tell<never> | undefined;
  if (!tell || answer.replayed || answer.status >= 300 || !logsRequests(parts)) return;
  const told = tell(JSON.parse(answer.body) as never, input as never, parts);
  if (told) parts.log({ level: "info", ...fieldsOf(seen), ...told });
}
