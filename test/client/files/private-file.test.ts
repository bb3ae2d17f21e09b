import { beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  createPrivately,
  makePrivateFolder,
  moveIntoPlace,
  writePrivately,
  writeWithMode,
  type Disk,
} from "../../../src/client/files/private-file.ts";
import { notedDisk } from "../../support/noted-disk.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

let root: string;
beforeEach(() => {
  root = temporaryFolder();
  // Its own name is on disk from here on, so that the notes are about what is below it.
  makePrivateFolder(root);
});

const modeOf = (path: string) => statSync(path).mode & 0o777;
const textOf = (path: string) => readFileSync(path, "utf8");

test("what is written is on disk before it gets its name, and the name is before this returns", () => {
  const { disk, notes } = notedDisk(root);
  writePrivately(join(root, "keys"), "one", disk);
  expect(notes).toEqual([
    "write keys.*.new",
    "sync keys.*.new",
    "rename keys.*.new keys",
    "sync .",
  ]);
  expect([textOf(join(root, "keys")), modeOf(join(root, "keys"))]).toEqual(["one", 0o600]);
});

test("a file with permissions of its own is replaced in the same order, whatever the umask takes away", () => {
  const { disk, notes } = notedDisk(root);
  writeWithMode(join(root, "settings"), "one", 0o666, disk);
  expect(notes).toEqual([
    "write settings.*.new",
    "sync settings.*.new",
    "rename settings.*.new settings",
    "sync .",
  ]);
  expect([textOf(join(root, "settings")), modeOf(join(root, "settings"))]).toEqual(["one", 0o666]);
});

test("a folder that is made for a file is on disk with all its parents", () => {
  const { disk, notes } = notedDisk(root);
  writePrivately(join(root, "home/config/keys"), "one", disk);
  expect(notes.slice(0, 4)).toEqual(["mkdir home", "sync .", "mkdir home/config", "sync home"]);
  expect(notes.at(-1)).toBe("sync home/config");
  expect([modeOf(join(root, "home")), modeOf(join(root, "home/config"))]).toEqual([0o700, 0o700]);
});

test("a folder that is there is left as it is, and its name is synced once", () => {
  const { disk, notes } = notedDisk(root);
  const home = join(root, "home");
  mkdirSync(home);
  chmodSync(home, 0o755);
  makePrivateFolder(home, disk);
  makePrivateFolder(home, disk);
  expect([notes, modeOf(home)]).toEqual([["sync ."], 0o755]);
});

test("a folder whose maker was killed before its name was on disk is on disk for the next process", () => {
  const { disk, notes } = notedDisk(root);
  mkdirSync(join(root, "home"));
  writePrivately(join(root, "home/config/keys"), "one", disk);
  expect(notes.slice(0, 3)).toEqual(["sync .", "mkdir home/config", "sync home"]);
});

test("what has the name of a folder, or is in place of a parent, is refused", () => {
  writePrivately(join(root, "keys"), "one");
  expect(() => makePrivateFolder(join(root, "keys"))).toThrow("EEXIST");
  expect(() => makePrivateFolder(join(root, "keys/config"))).toThrow("EEXIST");
  expect(() => makePrivateFolder("/proc/nothing/config")).toThrow("ENOENT");
});

test("of several makers of a file the first one's text stays, and it is on disk for all of them", () => {
  const { disk, notes } = notedDisk(root);
  createPrivately(join(root, "address"), "first", disk);
  expect(notes).toEqual([
    "write address.*.new",
    "sync address.*.new",
    "link address.*.new address",
    "sync .",
  ]);
  notes.splice(0);
  createPrivately(join(root, "address"), "second", disk);
  expect(notes).toEqual(["write address.*.new", "sync address.*.new", "sync ."]);
  expect([textOf(join(root, "address")), readdirSync(root)]).toEqual(["first", ["address"]]);
});

test("a complete file is on disk before it is moved into its place", () => {
  writePrivately(join(root, "copy.part"), "all of it");
  const { disk, notes } = notedDisk(root);
  moveIntoPlace(join(root, "copy.part"), join(root, "copy"), disk);
  expect(notes).toEqual(["sync copy.part", "rename copy.part copy", "sync ."]);
});

test("a writing that fails leaves the old content and nothing beside it", () => {
  const path = join(root, "keys");
  writePrivately(path, "old");
  const { disk } = notedDisk(root);
  const fault = Object.assign(new Error("no space"), { code: "ENOSPC" });
  const full = {
    ...disk,
    fsyncSync() {
      throw fault;
    },
  };
  expect(() => writePrivately(path, "new", full)).toThrow(fault);
  expect([textOf(path), readdirSync(root)]).toEqual(["old", ["keys"]]);
});

test("a file that others could read is replaced by one that they cannot", () => {
  const path = join(root, "keys");
  writePrivately(path, "old");
  chmodSync(path, 0o644);
  writePrivately(path, "new");
  expect(modeOf(path)).toBe(0o600);
});

test.each(["EINVAL", "ENOTSUP"])(
  "a file system that cannot sync folders (%s) fails no writing",
  (code) => {
    const { disk } = notedDisk(root);
    const folders = new Set<number>();
    const plain: Disk = {
      ...disk,
      openSync(path, flags, mode) {
        const descriptor = disk.openSync(path, flags, mode);
        if (statSync(path).isDirectory()) folders.add(descriptor);
        else folders.delete(descriptor);
        return descriptor;
      },
      fsyncSync(descriptor) {
        if (folders.has(descriptor)) throw Object.assign(new Error("no folders"), { code });
        disk.fsyncSync(descriptor);
      },
    };
    writePrivately(join(root, "keys"), "one", plain);
    expect([textOf(join(root, "keys")), folders.size]).toEqual(["one", 1]);
  },
);
