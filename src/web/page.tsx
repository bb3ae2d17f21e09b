import { isOpening, link } from "./core/signing-in/link.ts";
import { dialog } from "./core/screen/dialogs.ts";
import { serverName } from "./core/boards/overview.ts";
import { palette } from "./core/screen/palette.ts";
import { place } from "./core/screen/router.ts";
import { ended, mayBeSignedIn, session, sessionProblem } from "./core/connection/session.ts";
import { Board } from "./places/board/board.tsx";
import { AtWork } from "./places/home/at-work.tsx";
import { Home } from "./places/home/home.tsx";
import { ConfirmLink, NoAnswer, SignIn } from "./places/sign-in.tsx";
import { Bones, lazily } from "./parts/frame/lazily.tsx";
import { PageKeys } from "./parts/frame/page-keys.tsx";
import { useNarrow, useRoomy } from "./parts/frame/panel.tsx";
import { Rail } from "./parts/frame/rail.tsx";
import { Icon, Sprite } from "./parts/icon.tsx";
import { Strips } from "./parts/frame/strips.tsx";
import { Toasts } from "./parts/frame/toasts.tsx";

const Account = lazily("account", async () => (await import("./later/later.ts")).Account);
const Palette = lazily(
  "palette",
  async () => (await import("./later/later.ts")).Palette,
  "nothing",
);
const KeySheet = lazily("keys", async () => (await import("./later/later.ts")).KeySheet, "nothing");
const NewBoard = lazily("form", async () => (await import("./later/later.ts")).NewBoard, "nothing");
const Join = lazily("invitation", async () => (await import("./later/later.ts")).Join);

/** The whole page, as its address and the session say it. */
export function Page() {
  return (
    <>
      <Sprite />
      <Entered />
    </>
  );
}

function Entered() {
  const opened = link.value;
  if (opened && !(opened.whom instanceof Error)) return <ConfirmLink whom={opened.whom} />;
  if (place.value.name === "join") return <Join />;
  const wantsToSignIn = ended.value !== null && place.value.name === "sign-in";
  if (session.value && !wantsToSignIn) return <SignedIn />;
  if (isOpening.value) return null;
  if (session.value !== undefined) return <SignIn linkProblem={opened?.whom ?? null} />;
  if (sessionProblem.value !== null) return <NoAnswer problem={sessionProblem.value} />;
  return mayBeSignedIn && place.value.name !== "sign-in" ? <Frame /> : null;
}

/** What is there before the server has said who is signed in: the frame, with the board that the address names. */
function Frame() {
  const here = place.value;
  return (
    <div class="app">
      <div class="rail" aria-hidden="true">
        <div class="rail-top">
          <div class="brand">
            <Icon name="brand" />
            <span class="clip1">{serverName}</span>
          </div>
        </div>
      </div>
      <main class="main" id="main" aria-busy="true">
        {here.name === "board" && (
          <header class="head">
            <div class="head-1">
              <h1>{here.board}</h1>
            </div>
          </header>
        )}
        <div class="page">
          <div class="col">
            <Bones what="the page" />
          </div>
        </div>
      </main>
    </div>
  );
}

function SignedIn() {
  const isNarrow = useNarrow();
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.querySelector<HTMLElement>("#main")?.focus();
        }}
      >
        Skip to the content
      </a>
      {/* It comes first, so that what is shown takes a key before it. */}
      <PageKeys />
      <div class="app">
        <Rail />
        <Strips />
        <Shown />
        {/* The rail is a strip beside a panel, and in a narrow window always. */}
        {isNarrow && <div class="panel" hidden />}
      </div>
      <Toasts />
      {dialog.value === "new-board" && <NewBoard />}
      {dialog.value === "keys" && <KeySheet />}
      {palette.value && <Palette {...palette.value} />}
    </>
  );
}

function Shown() {
  const here = place.value;
  const isRoomy = useRoomy();
  switch (here.name) {
    case "board":
      return (
        <>
          <Board key={here.board} place={here} />
          {isRoomy && /^(talk|message|tasks)$/.test(here.part) && <AtWork isShown={false} />}
        </>
      );
    case "account":
      return <Account />;
    default:
      return <Home />;
  }
}
