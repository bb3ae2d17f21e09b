import { expect, test } from "bun:test";
import type { ApiError } from "../../src/client/errors.ts";
import { startWorld } from "../support/servers/server-in-process.ts";
import { cameTo } from "../support/raw-requests.ts";
import { drawFrom } from "../support/hostile/draw.ts";
import { seed, sized } from "../support/tries.ts";

/*
 * Many ask at one moment for what only one of them can have. Each race is run anew so many times, with its callers in
 * another order each time.
 */
const roundsOf = { tasks: sized(500, 10_000), others: sized(50, 10_000) };
const callers = 6;
/** So many are run on one server: what they leave behind makes the next ones slower. */
const onOneServer = 500;

/** What is raced for. */
const abouts = [
  "the start of a task",
  "a one-time code",
  "the key of a machine",
  "a guest code",
  "an invitation",
  "a person's handle",
  "the name of a board",
  "the name of an agent",
  "a version of a file",
] as const;
type About = (typeof abouts)[number];

/** What the callers of a race get: the one who wins, and each of the others. */
interface Race {
  readonly won: string;
  readonly lost: string;
  /** Sends what all of them ask for at once. `round` numbers what it is about. */
  readonly run: (round: number) => Promise<Promise<string>[]>;
  /** Who has it afterwards, as the server says: how many. */
  readonly holders: (round: number) => Promise<number>;
}
type Sending = Parameters<typeof cameTo>[0];

/** A server with people and their agents on one board, and the races that they run there. */
async function setRaces() {
  const world = await startWorld();
  const ana = world.admin;
  await ana.call("createBoard", { body: { name: "docs" } });
  const people = await Promise.all(
    Array.from({ length: callers }, async (_, i) => {
      const person = await world.person(`p${i}`);
      await ana.call("addPerson", { params: { board: "docs" }, body: { handle: person.handle } });
      return { ...person, agent: await world.seat(person, "docs", { name: `agent-${i}` }) };
    }),
  );
  const docs = { board: "docs" };
  await ana.upload({ params: docs, query: { name: "plan.md" } }, new Blob(["A plan"]));
  const draw = drawFrom(seed);
  /** In another order each time. */
  const shuffled = <T>(list: readonly T[]): T[] => {
    const left = [...list];
    return list.map(() => left.splice(draw.int(left.length), 1)[0]!);
  };

  /** Sends one request for each of the callers. */
  const each = (send: (caller: (typeof people)[number]) => Sending) =>
    shuffled(people).map(async (caller) => cameTo(send(caller)));
  const nobody = world.as();

  /** Secrets of one round, by its number. */
  const secretOf = new Map<number, string>();
  const races: Record<About, Race> = {
    "the start of a task": {
      won: "200",
      lost: "409 task_taken",
      async run(round) {
        const { ref } = await ana.call("createTask", { params: docs, body: { title: "A task" } });
        secretOf.set(round, ref);
        const starters = shuffled(people.flatMap((person) => [person, person.agent]));
        return starters.map(async ({ send }) =>
          cameTo(send("startTask", { params: { ...docs, task: ref } })),
        );
      },
      async holders(round) {
        const params = { ...docs, task: secretOf.get(round)! };
        return (await ana.call("getTask", { params })).owner === null ? 0 : 1;
      },
    },
    "a one-time code": {
      won: "201",
      lost: "404 login_code_invalid",
      async run() {
        const { code } = await ana.call("createLoginCode");
        return each(() => nobody.send("createBrowserToken", { body: { code } }));
      },
      async holders() {
        const { sessions } = await ana.call("listBrowserSessions");
        await ana.call("endBrowserTokens");
        return sessions.length;
      },
    },
    "the key of a machine": {
      won: "201",
      lost: "404 machine_request_invalid",
      async run(round) {
        const person = people[round % callers]!;
        const body = { handle: person.handle, label: `box-${round}` };
        const { code, secret } = await nobody.call("startMachineRequest", { body });
        await person.call("approveMachineRequest", { body: { code } });
        return each(() => nobody.send("collectMachineRequest", { body: { secret } }));
      },
      async holders(round) {
        const person = people[round % callers]!;
        const { keys } = await person.call("listKeys");
        const made = keys.filter(
          ({ id, revoked_at }) => id !== person.keyId && revoked_at === null,
        );
        for (const { id } of made) await person.call("revokeKey", { params: { key: id } });
        return made.length;
      },
    },
    "a guest code": {
      won: "201",
      lost: "404 join_code_invalid",
      async run(round) {
        const body = { role: "member", guest: `gus-${round}` };
        const { code } = await ana.call("createJoinCode", { params: docs, body });
        return each(() => nobody.send("guestJoin", { body: { code, key_name: "box" } }));
      },
      async holders(round) {
        const params = { handle: `gus-${round}` };
        const { agents_removed } = await ana.call("removeFromServer", { params });
        return agents_removed;
      },
    },
    "an invitation": {
      won: "201",
      lost: "404 invite_invalid",
      async run(round) {
        const { invite } = await ana.call("createServerInvite");
        return shuffled(people).map(({ handle }) => {
          const body = { invite, handle: `${handle}-${round}`, key_name: "box" };
          return cameTo(nobody.send("connect", { body }));
        });
      },
      async holders(round) {
        const came = people.map(({ handle }) =>
          cameTo(ana.send("removeFromServer", { params: { handle: `${handle}-${round}` } })),
        );
        return (await Promise.all(came)).filter((verdict) => verdict === "200").length;
      },
    },
    "a person's handle": {
      won: "201",
      lost: "409 handle_taken",
      async run(round) {
        const made = people.map(() => ana.call("createServerInvite"));
        return shuffled(await Promise.all(made)).map(({ invite }) => {
          const body = { invite, handle: `dee-${round}`, key_name: "box" };
          return cameTo(nobody.send("connect", { body }));
        });
      },
      async holders(round) {
        const params = { handle: `dee-${round}` };
        const removals = [];
        for (let i = 0; i < 2; i++)
          removals.push(await cameTo(ana.send("removeFromServer", { params })));
        return removals.filter((verdict) => verdict === "200").length;
      },
    },
    "the name of a board": {
      won: "201",
      lost: "409 board_name_taken",
      run: async (round) =>
        each(({ send }) => send("createBoard", { body: { name: `b-${round}` } })),
      async holders(round) {
        const params = { board: `b-${round}` };
        const { people: on } = await ana.call("listPeople", { params });
        const owner = people.find(({ handle }) => handle === on[0]!.handle)!;
        await owner.call("archiveBoard", { params });
        await owner.call("deleteBoard", { params });
        return on.length;
      },
    },
    "the name of an agent": {
      won: "201",
      lost: "409 name_taken",
      run: async (round) =>
        each(({ send }) => send("join", { body: { ...docs, role: "member", name: `a-${round}` } })),
      async holders(round) {
        const { members } = await ana.call("listMembers", { params: docs });
        const named = members.filter(({ name }) => name === `a-${round}`);
        for (const { name } of named)
          await ana.call("removeAgent", { params: { ...docs, member: name } });
        return named.length;
      },
    },
    "a version of a file": {
      won: "201",
      lost: "409 file_changed",
      run: async (round) =>
        shuffled(people).map(({ upload, handle }) => {
          const query = { name: "plan.md", base: round + 1 };
          const written = upload({ params: docs, query }, new Blob([`${handle} ${round}`]));
          return written.then(
            () => "201",
            ({ status, code }: ApiError) => `${status} ${code}`,
          );
        }),
      async holders(round) {
        const params = { ...docs, file: "plan.md" };
        return (await ana.call("getFile", { params })).latest.version - round - 1;
      },
    },
  };

  return { races, stop: world.stop };
}

test.each(abouts)(
  "of all who ask for %s at once, one gets it, each time",
  async (about) => {
    const rounds = roundsOf[about === "the start of a task" ? "tasks" : "others"];
    for (let done = 0; done < rounds; done += onOneServer) {
      const { races, stop } = await setRaces();
      for (let round = 0; round < Math.min(onOneServer, rounds - done); round++)
        await race(races[about], round);
      stop();
    }
  },
  Math.max(60_000, roundsOf.others * 120),
);

async function race({ won, lost, run, holders }: Race, round: number): Promise<void> {
  const verdicts = await Promise.all(await run(round));
  const others = Array.from({ length: verdicts.length - 1 }, () => lost);
  expect({ seed, round, verdicts: verdicts.sort() }).toEqual({
    seed,
    round,
    verdicts: [won, ...others].sort(),
  });
  expect(await holders(round)).toBe(1);
}
