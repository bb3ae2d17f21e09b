import { ApiError, type Client } from "../../client/client.ts";
import { machineName } from "../../client/machine/identity.ts";
import { LocalError } from "../../client/machine/local-error.ts";

/** A server as the person of this machine reaches it. */
export interface PersonAt {
  readonly key: string;
  /** A client with this credential. It gets the credential only if it is that server. */
  clientWith(token: string): Client;
}

/** The machine's delegations: with them it acts for sessions of its person. They are kept in memory alone. */
export interface Delegations {
  /**
   * Acts with the delegation for a server, which is made when it is first needed. If the server says that it has ended, the
   * act is done again with a new one, unless `isCreation`: then nobody could tell which of the two made what was wanted.
   */
  act<T>(server: string, isCreation: boolean, act: (client: Client) => Promise<T>): Promise<T>;
}

interface Held {
  readonly key: string;
  readonly client: Promise<Client>;
}

/** Makes the set of delegations, which is empty at first. */
export function createDelegations(personAt: (server: string) => PersonAt | null): Delegations {
  const held = new Map<string, Held>();

  function delegateFor(server: string): Held {
    const person = personAt(server);
    if (person === null) throw loginRequired(server);
    const known = held.get(server);
    // A key that was replaced has taken its delegations with it.
    if (known?.key === person.key) return known;
    const made = { key: person.key, client: delegationOf(person) };
    held.set(server, made);
    made.client.catch(() => forget(server, made));
    return made;
  }
  function forget(server: string, one: Held): void {
    if (held.get(server) === one) held.delete(server);
  }

  return {
    async act(server, isCreation, act) {
      const first = delegateFor(server);
      try {
        return await act(await first.client);
      } catch (error) {
        if (!(error instanceof ApiError && error.code === "delegation_revoked")) throw error;
        forget(server, first);
        if (isCreation) throw error;
      }
      return act(await delegateFor(server).client);
    },
  };
}

async function delegationOf({ key, clientWith }: PersonAt): Promise<Client> {
  const client = clientWith(key);
  const body = { name: machineName() };
  const { token } = await client.call("createDelegation", { body }).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 401 ? keyEnded() : error;
  });
  return clientWith(token);
}

const loginRequired = (server: string) =>
  new LocalError(
    "login_required",
    `This machine has no key for ${server === "local" ? "its local server" : server}.`,
    server === "local"
      ? "`service up` starts it, and makes one."
      : `Its person signs in, in a terminal: \`service login ${server}\` with a key, or \`service connect LINK\` with an invitation.`,
  );

const keyEnded = () =>
  new LocalError(
    "delegation_revoked",
    "The key that this machine keeps for the server was revoked or has ended.",
    "Its person signs in again, in a terminal: `service login` with a key, or `service connect LINK` with an invitation.",
  );
