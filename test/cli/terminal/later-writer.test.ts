import { expect, test } from "bun:test";
import { laterWriter } from "../../../src/cli/terminal/later-writer.ts";

/** A reader that takes each text when it is told to. */
function slowReader() {
  const texts: string[] = [];
  const takes: (() => void)[] = [];
  const { later, written } = laterWriter((text) => {
    texts.push(text);
    return new Promise<void>((resolve) => takes.push(resolve));
  });
  const take = async () => {
    takes.shift()!();
    await new Promise(setImmediate);
  };
  return { texts, take, later, written };
}

test("texts are written one after the other, and what waits is written together", async () => {
  const { texts, take, later, written } = slowReader();
  for (const text of ["one\n", "two\n", "three\n"]) later(text);
  expect(texts).toEqual(["one\n"]);
  await take();
  expect(texts).toEqual(["one\n", "two\nthree\n"]);
  const isOver = written();
  later("last\n");
  await take();
  await take();
  await isOver;
  expect(texts.join("")).toBe("one\ntwo\nthree\nlast\n");
});

test("a text that cannot be written stops none of those after it", async () => {
  const texts: string[] = [];
  const { later, written } = laterWriter(async (text) => {
    texts.push(text);
    if (text === "one\n") throw new Error("the disk is full");
  });
  later("one\n");
  later("two\n");
  await written();
  expect(texts).toEqual(["one\n", "two\n"]);
});

test("for a reader that takes nothing a bounded amount waits, and what was dropped is counted", async () => {
  const { texts, take, later, written } = slowReader();
  const line = `${"x".repeat(1023)}\n`;
  for (let number = 0; number < 3_000; number++) later(line);
  await take();
  expect(texts[1]!.length).toBeLessThan(1024 * 1024 + 100);
  expect(texts[1]).toEndWith("\n1975 lines were dropped: nobody read them.\n");
  later("last\n");
  await take();
  await take();
  await written();
  expect(texts.at(-1)).toBe("last\n");
});
