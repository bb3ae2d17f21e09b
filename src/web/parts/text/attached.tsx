import { addressOf } from "../../core/screen/router.ts";
import type { Message } from "../../core/talk/talk.ts";
import { Icon } from "../icon.tsx";
import { visible } from "../who.tsx";

/** The files of a message, in the versions that it cites. `isRead` offers what changed since the version before. */
export function Attached({
  message: { files, board },
  isRead = false,
}: {
  message: Message;
  isRead?: boolean;
}) {
  return (
    <>
      {files?.map(({ name, version }) => (
        <div class="att" key={`${name} ${version}`}>
          <Icon name="file" />
          <a class="name" href={addressOf(board, "files", name)}>
            <bdi>{visible(name)}</bdi>
          </a>
          <span class="muted">version {version}</span>
          {isRead && version > 1 && (
            <a href={`${addressOf(board, "files", name)}?v=${version - 1}..${version}`}>
              read the changes
            </a>
          )}
        </div>
      ))}
    </>
  );
}
