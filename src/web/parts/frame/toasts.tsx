import { dropToast, holdToast, restartToast, shownToast } from "../../core/screen/toasts.ts";
import { Icon } from "../icon.tsx";

/** The toast, which stays as long as the pointer or the focus is on it. F6 reaches it. */
export function Toasts() {
  const shown = shownToast.value;
  const { text, isError = false, action } = shown ?? { text: "" };
  return (
    <div
      class="toasts"
      data-f6
      onPointerEnter={holdToast}
      onPointerLeave={restartToast}
      onFocusIn={holdToast}
      onFocusOut={restartToast}
    >
      {/* What appears in them is read out. So they are there before it. */}
      {(["status", "alert"] as const).map((role) => (
        <div key={role} role={role}>
          {shown && isError === (role === "alert") && (
            <div class="toast">
              {isError && <Icon name="warn" />}
              <span>{text}</span>
              {action && (
                <button
                  type="button"
                  onClick={() => {
                    dropToast();
                    action.run();
                  }}
                >
                  {action.label}
                </button>
              )}
            </div>
          )}
        </div>
      ))}
    </div>
  );
}
