import { expect, test } from "bun:test";
import fc from "fast-check";
import { operationNamed, operationNames } from "../../../src/contract/index.ts";
import { queryOf } from "../../../src/contract/validate.ts";
import { createSecrets } from "../../../src/server/secrets.ts";
import { tries } from "../../support/tries.ts";

test("the digest of a presented credential is its digest, however many came before it", () => {
  const one = createSecrets(new Uint8Array(32).fill(1));
  const another = createSecrets(new Uint8Array(32).fill(2));
  const credential = fc.string({ minLength: 8, maxLength: 200 });
  fc.assert(
    fc.property(fc.array(credential, { minLength: 1, maxLength: 80 }), (credentials) => {
      for (const text of [...credentials, ...credentials]) {
        expect(one.presented.digest(text)).toBe(one.digest(text));
        expect(another.presented.digest(text)).not.toBe(one.digest(text));
      }
    }),
    tries(100),
  );
});

test("a request without a query has the query that its schema makes of none", () => {
  const optional = operationNames.filter((name) => !operationNamed(name).query?.required?.length);
  expect(optional.length).toBeGreaterThan(50);
  for (const name of optional)
    expect(queryOf(operationNamed(name), new URLSearchParams())).toEqual({});
});
