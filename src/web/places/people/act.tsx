import { useState } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import { sentenceOf } from "../../parts/problem.tsx";

/** An act that the server may refuse: whether it is under way, why the last try failed, and how to try. */
interface Act {
  readonly isBusy: boolean;
  readonly problem: string | null;
  /** Gives whether it was done. */
  run(act: () => Promise<unknown>): Promise<boolean>;
}

/** Keeps what is to be said of an act while a dialog or a form is open. */
export function useAct(): Act {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  return {
    isBusy,
    problem,
    async run(act) {
      setBusy(true);
      setProblem(null);
      try {
        await act();
        return true;
      } catch (error) {
        setProblem(sentenceOf(error));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}

/** Why the last try failed. */
export const Problem = ({ text }: { text: string | null }) =>
  text === null ? null : (
    <p class="err" role="alert">
      <Icon name="warn" small />
      <span>{text}</span>
    </p>
  );
