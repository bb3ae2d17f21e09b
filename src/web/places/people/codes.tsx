import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../../core/connection/api.ts";
import type { BoardView } from "../../core/boards/board.ts";
import { toast } from "../../core/screen/toasts.ts";
import { counted } from "../../core/screen/words.ts";
import { momentOf } from "../../core/screen/time.ts";
import { Icon } from "../../parts/icon.tsx";
import { sentenceOf } from "../../parts/problem.tsx";
import { visible } from "../../parts/who.tsx";
import { codesOf, type Code } from "./held.ts";
import type { Standing } from "./standing.ts";

/** The codes of the board that is shown, as far as the reader sees them. Null until they are known. */
const codes = signal<readonly Code[] | null>(null);

async function look(board: string): Promise<void> {
  codes.value = await codesOf(board);
}

/** Keeps the list of codes as long as a component is there that shows it. */
function useCodesOf({ name, onNews }: BoardView): void {
  useEffect(() => {
    codes.value = null;
    // A list that cannot be read is not shown.
    const again = () => look(name).catch(() => {});
    void again();
    return onNews(async (events) => {
      const isStale = events.some(
        ({ type }) => type.startsWith("joincode.") || type === "member.joined",
      );
      if (isStale) await again();
    });
  }, [name]);
}

/** The codes that work now, and taking them back. */
export function Codes({ standing }: { standing: Standing }) {
  const { board, view, isOwner } = standing;
  useCodesOf(view);
  const known = codes.value;
  if (known === null) return null;
  const revoke = async (code: Code) => {
    try {
      await api.call("revokeJoinCode", { params: { board, join_code: code.id } });
      await look(board);
    } catch (error) {
      toast({ text: `Not taken back: ${sentenceOf(error)}`, isError: true });
    }
  };
  return (
    <section class="sect" aria-labelledby="codes">
      <h3 id="codes">Codes that work now</h3>
      {known.length === 0 ? (
        <p class="dim">None.</p>
      ) : (
        <ul class="mini codes">
          {known.map((code) => (
            <li key={code.id}>
              <Icon name="key" small />
              <span>
                {wordsOf(code, standing)}{" "}
                <span class="muted">
                  ends {momentOf(code.expires_at)}
                  {code.uses > 0 && `, ${counted(code.uses, "agent", "agents")} came`}
                </span>
              </span>
              <button
                class="b q"
                type="button"
                aria-label={`Revoke the code of ${wordsOf(code, standing)}`}
                onClick={() => void revoke(code)}
              >
                Revoke
              </button>
            </li>
          ))}
        </ul>
      )}
      <p class="hint">
        {isOwner
          ? "You own the board, so those of others are listed too."
          : "Those that you and your agents made."}{" "}
        A code itself is never shown again. Who came with one stays.
      </p>
    </section>
  );
}

function wordsOf({ kind, guest, role, created_by, created_at }: Code, { me }: Standing): string {
  const what = kind === "guest" ? `guest ${visible(guest ?? "")}` : role;
  const by = created_by.name === me?.name ? "you" : visible(created_by.name);
  return `${what}, made by ${by} ${momentOf(created_at)}`;
}
