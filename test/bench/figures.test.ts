import { expect, test } from "bun:test";
import { alone, atLeast, atMost, compared, verdictOf } from "../../bench/figures.ts";
import { middleHalf } from "../../bench/stats.ts";

const service = (...values: number[]) => ({ what: "service", values });
const raw = { what: "raw", values: [100, 100, 100, 100, 100] };

test("the middle half leaves out a quarter of the values at each end", () => {
  expect(middleHalf([9, 1, 8, 2, 5, 4, 6, 3, 7])).toEqual([3, 7]);
  expect(middleHalf([4])).toEqual([4, 4]);
  expect(() => middleHalf([])).toThrow(RangeError);
});

test("a ratio off its target is missed only if the better end of its spread is off too", () => {
  const verdict = (...values: number[]) =>
    verdictOf(compared("/s", service(...values), raw, { target: atLeast(0.5) }));
  expect(verdict(40, 45, 52, 55, 60)).toBe("reached");
  expect(verdict(40, 45, 48, 52, 60)).toBe("within the spread");
  expect(verdict(40, 45, 48, 49, 60)).toBe("MISSED");
});

test("a target of most is judged by the lower end", () => {
  const verdict = (...values: number[]) =>
    verdictOf(alone("ms", service(...values), { target: atMost(10, "value") }));
  expect(verdict(8, 9, 11, 12, 13)).toBe("within the spread");
  expect(verdict(8, 11, 11, 12, 13)).toBe("MISSED");
  expect(verdict(8, 9, 10, 12, 13)).toBe("reached");
});

test("a row without a target has no verdict", () => {
  expect(verdictOf(alone("ms", service(1)))).toBeUndefined();
});
