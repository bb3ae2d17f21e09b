import { codexUnderTest } from "../support/daemon/codex-under-test.ts";
import { extensionUnderTest } from "../support/daemon/extension-under-test.ts";
import { playedBell } from "../support/daemon/played-bell.ts";
import { playedQueue } from "../support/daemon/played-queue.ts";
import { testHarness } from "../support/daemon/harness-contract.ts";

testHarness(playedBell);
testHarness(playedQueue(false));
testHarness(playedQueue(true));
testHarness(extensionUnderTest);
testHarness(codexUnderTest);
