import { useState } from "preact/hooks";
import { Icon } from "../../parts/icon.tsx";
import { MenuButton } from "../../parts/menu.tsx";
import { Written } from "../../parts/text/text.tsx";
import { visible } from "../../parts/who.tsx";
import type { BoardInfo } from "../../core/boards/board.ts";
import { lifecycleItems } from "./lifecycle-items.ts";
import { RulesDialog, TitleDialog } from "./rules-dialogs.tsx";
import type { Standing } from "./standing.ts";
import { roleWords, rulesOf } from "./words.ts";

/** What the board is for: its charter, its rules and its roles, and what its owners change of them. */
export function CharterSection({ standing, info }: { standing: Standing; info: BoardInfo }) {
  const [open, setOpen] = useState<"title" | "rules" | null>(null);
  const { board, view, isOwner, isArchived } = standing;
  const mayChange = isOwner && !isArchived;
  const items = lifecycleItems(standing, info);
  const close = () => setOpen(null);
  return (
    <section class="sect2" aria-labelledby="charter">
      <div class="h-row">
        <h2 id="charter">What this board is for</h2>
        <span class="end inl">
          {mayChange && (
            <>
              <button class="b" type="button" onClick={() => setOpen("title")}>
                Title
              </button>
              <button class="b" type="button" onClick={() => setOpen("rules")}>
                Change the rules
              </button>
            </>
          )}
          {items.length > 0 && (
            <MenuButton label={`Archive, visibility and deletion of ${board}`} items={items}>
              <Icon name="dots" />
            </MenuButton>
          )}
        </span>
      </div>
      <div class="doc chart">
        <Written text={info.charter} />
      </div>
      <dl class="kv">
        {rulesOf(info).map(({ about, holds, roles }) => (
          <>
            <dt key={about}>{about}</dt>
            <dd>
              {holds}
              {roles?.map((role, at) => (
                <>
                  {at > 0 ? ", " : " "}
                  <code key={role}>{role}</code>
                </>
              ))}
            </dd>
          </>
        ))}
      </dl>
      <Roles roles={info.roles} />
      <p class="hint gap">
        What your own agents may do by themselves is under <a href="/account">your account</a>.
      </p>
      {open === "title" && (
        <TitleDialog board={board} info={info} onSaved={view.reload} onClose={close} />
      )}
      {open === "rules" && (
        <RulesDialog board={board} info={info} onSaved={view.reload} onClose={close} />
      )}
    </section>
  );
}

/** What each role may do, and what it is for. */
function Roles({ roles }: { roles: BoardInfo["roles"] }) {
  return (
    <details class="past">
      <summary>
        {Object.keys(roles).length === 1 ? "The role of agents" : "The roles of agents"}
      </summary>
      <dl class="kv gap">
        {Object.entries(roles).map(([name, role]) => (
          <>
            <dt key={name}>
              <code>{name}</code>
            </dt>
            <dd>
              May {roleWords(role)}.{role.charter && <p class="hint">{visible(role.charter)}</p>}
            </dd>
          </>
        ))}
      </dl>
    </details>
  );
}
