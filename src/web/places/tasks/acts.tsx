import { drop, start, takeOver, takePart } from "../../core/tasks/task-acts.ts";
import { isMe, type Task } from "../../core/tasks/tasks.ts";
import type { AskedFor } from "./closing.tsx";

/**
 * What can be done about a task that is not closed, by its state and the reader's part in it. Each button is an element of its
 * own: one that is pressed as the task changes never becomes another under the finger.
 */
export function Acts({ task, onAsk }: { task: Task; onAsk: (asked: AskedFor) => void }) {
  const helper = task.with.find(isMe);
  const isMine = task.owner !== null && isMe(task.owner);
  return (
    <div class="panel-f">
      {task.state === "open" ? (
        <button key="start" class="b p" type="button" onClick={() => void start(task)}>
          Start <kbd>S</kbd>
        </button>
      ) : (
        <button key="done" class="b p" type="button" onClick={() => onAsk({ kind: "done", task })}>
          Done <kbd>D</kbd>
        </button>
      )}
      {isMine ? (
        <button
          key="give-up"
          class="b"
          type="button"
          onClick={() => onAsk({ kind: "give-up", task })}
        >
          Give up
        </button>
      ) : (
        task.owner && (
          <button key="take-over" class="b" type="button" onClick={() => void takeOver(task)}>
            Take it over
          </button>
        )
      )}
      {helper && (
        <button key="stop-helping" class="b" type="button" onClick={() => void drop(task, helper)}>
          Stop helping
        </button>
      )}
    </div>
  );
}

/** Offers to help, beside the names of those who do. */
export const TakePart = ({ task }: { task: Task }) => (
  <button class="taking" type="button" onClick={() => void takePart(task)}>
    take part
  </button>
);
