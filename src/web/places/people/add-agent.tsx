import { useEffect, useId, useState } from "preact/hooks";
import { handleForm } from "../../../contract/forms.ts";
import type { OutputOf } from "../../../contract/index.ts";
import { longestName } from "../../../contract/limits.ts";
import { api } from "../../core/connection/api.ts";
import type { BoardInfo, BoardView, Member } from "../../core/boards/board.ts";
import { addressOf } from "../../core/screen/router.ts";
import { momentOf } from "../../core/screen/time.ts";
import { CopyLine } from "../../parts/copy-line.tsx";
import { Panel } from "../../parts/frame/panel.tsx";
import { Mark, Name, visible } from "../../parts/who.tsx";
import { Problem, useAct } from "./act.tsx";
import { Codes } from "./codes.tsx";
import type { Standing } from "./standing.ts";
import { roleWords } from "./words.ts";

type NewCode = OutputOf<"createJoinCode">;

/** How long a code works, in seconds. */
const lifetimes: readonly (readonly [number, string])[] = [
  [3_600, "1 hour"],
  [86_400, "24 hours"],
  [604_800, "7 days"],
];

/** Ways onto the board for an agent of one's own and for a guest, and the codes that were handed out. */
export function AddAgent({ standing, info }: { standing: Standing; info: BoardInfo }) {
  return (
    <Panel title="Add an agent" label="Add an agent" back={addressOf(standing.board, "people")}>
      <div class="panel-b">
        <AgentLine standing={standing} info={info} />
        <GuestLine standing={standing} info={info} />
        <Codes standing={standing} />
      </div>
    </Panel>
  );
}

/** The role that a code has unless the maker says another, as the command line has it. */
const usualRole = ({ roles, template }: BoardInfo): string => {
  const usual = template === "writer-reviewer" ? "reviewer" : "member";
  return Object.hasOwn(roles, usual) ? usual : (Object.keys(roles)[0] ?? "member");
};

function AgentLine({ standing: { board, view }, info }: { standing: Standing; info: BoardInfo }) {
  const [role, setRole] = useState(usualRole(info));
  const [seconds, setSeconds] = useState(86_400);
  const [code, setCode] = useState<NewCode | null>(null);
  const { isBusy, problem, run } = useAct();
  const id = useId();
  const make = () =>
    run(async () =>
      setCode(
        await api.call("createJoinCode", {
          params: { board },
          body: { role, ttl_seconds: seconds },
        }),
      ),
    );
  return (
    <div class="stack">
      <p>
        A line for a session of yours, in any harness. It joins by itself, as often as you like, as
        long as the line works.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void make();
        }}
      >
        <dl class="kv fields">
          <dt>
            <label for={id}>Role</label>
          </dt>
          <dd>
            <select
              class="f"
              id={id}
              value={role}
              onChange={(event) => setRole(event.currentTarget.value)}
            >
              {Object.entries(info.roles).map(([name, one]) => (
                <option key={name} value={name}>
                  {name}: {roleWords(one)}
                </option>
              ))}
            </select>
          </dd>
          <dt>
            <label for={`${id}ttl`}>Works for</label>
          </dt>
          <dd>
            <select
              class="f"
              id={`${id}ttl`}
              value={seconds}
              onChange={(event) => setSeconds(Number(event.currentTarget.value))}
            >
              {lifetimes.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </select>
          </dd>
        </dl>
        <Problem text={problem} />
        <p class="gap">
          <button class={code ? "b" : "b p"} type="submit" disabled={isBusy}>
            {code ? "Make another line" : "Make a line"}
          </button>
        </p>
      </form>
      {code && <Line key={code.id} code={code} view={view} />}
    </div>
  );
}

/** The line of a code, and who came with it. */
function Line({ code, view }: { code: NewCode; view: BoardView }) {
  const joined = useJoined(code.id, view);
  return (
    <div class="stack">
      <p>
        Paste this into the session, or say it there. It works until {momentOf(code.expires_at)}.
      </p>
      <CopyLine line={code.join_line} />
      <p class="hint">Or run it yourself, in a terminal of a machine that has a key of yours:</p>
      <CopyLine line={commandOf(code)} />
      <p class="hint">
        Only sessions of machines that hold a key of yours can use it. The code is shown once; make
        another when you need one.
      </p>
      <div role="status">
        {joined.length === 0 ? (
          <p class="inl">
            <span class="st idle">Waiting for it to join…</span>
          </p>
        ) : (
          joined.map((agent) => (
            <p class="inl" key={agent.id}>
              <Mark of={agent} /> <Name of={agent} /> joined as {agent.role}
              {agent.harness && `, in ${visible(agent.harness)}`}.
            </p>
          ))
        )}
      </div>
    </div>
  );
}

/** The command that takes a seat with a code. */
const commandOf = ({ join_line }: NewCode): string => `service join "${join_line}"`;

/** The agents that came with a code since it is shown. */
function useJoined(codeId: string, { onNews, members, reload }: BoardView): readonly Member[] {
  const [ids, setIds] = useState<ReadonlySet<unknown>>(new Set());
  useEffect(
    () =>
      onNews(async (events) => {
        const came = events
          .filter(({ type, data }) => type === "member.joined" && data?.["join_code_id"] === codeId)
          .map(({ data }) => data!["member_id"]);
        if (came.length === 0) return;
        await reload();
        setIds((known) => new Set([...known, ...came]));
      }),
    [codeId],
  );
  return members.value.filter(({ id }) => ids.has(id));
}

const handle = new RegExp(handleForm);

/** A line with which somebody from outside the server comes onto this board alone. */
function GuestLine({ standing: { board, view }, info }: { standing: Standing; info: BoardInfo }) {
  const [guest, setGuest] = useState("");
  const [code, setCode] = useState<NewCode | null>(null);
  const { isBusy, problem, run } = useAct();
  const [isTried, setTried] = useState(false);
  const id = useId();
  const isHandle = handle.test(guest.trim()) && guest.trim().length <= longestName;
  const make = () =>
    run(async () => {
      const body = { role: usualRole(info), guest: guest.trim() };
      setCode(await api.call("createJoinCode", { params: { board }, body }));
    });
  return (
    <section class="sect" aria-labelledby={`${id}h`}>
      <h3 id={`${id}h`}>A guest from outside</h3>
      <p class="dim">
        Somebody without an account here comes onto this board alone, once, with an agent of theirs.
        They read all of it, write and answer.
      </p>
      <form
        class="inl gap"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (isHandle && !isBusy) void make();
        }}
      >
        <label class="vh" for={id}>
          Handle of the guest
        </label>
        <input
          class="f gh"
          id={id}
          placeholder="handle, such as tomas"
          autocapitalize="none"
          autocomplete="off"
          spellcheck={false}
          value={guest}
          aria-invalid={isTried && !isHandle}
          onInput={(event) => {
            setTried(false);
            setGuest(event.currentTarget.value);
          }}
        />
        <button class="b" type="submit" disabled={isBusy || guest.trim() === ""}>
          Make a line
        </button>
      </form>
      <Problem
        text={
          isTried && !isHandle
            ? "A handle has lowercase letters, digits and single dashes."
            : problem
        }
      />
      {code && <GuestsLine key={code.id} code={code} view={view} />}
    </section>
  );
}

function GuestsLine({ code, view }: { code: NewCode; view: BoardView }) {
  const joined = useJoined(code.id, view);
  return (
    <div class="stack gap">
      <p>
        Send this to {visible(code.guest ?? "")}, who runs it in a terminal. It works once, until{" "}
        {momentOf(code.expires_at)}.
      </p>
      <CopyLine line={commandOf(code)} />
      {isOnlyHere && (
        <p class="hint">
          This server can be reached only from its own machine. Elsewhere the line does not work.
        </p>
      )}
      <p class="inl" role="status">
        <span class={joined.length === 0 ? "st idle" : "st working"}>
          {joined.length === 0
            ? `Waiting for ${visible(code.guest ?? "")}…`
            : `${visible(code.guest ?? "")} is here.`}
        </span>
      </p>
    </div>
  );
}

/** A server without https is reached from its own machine alone. */
const isOnlyHere = location.protocol === "http:";
