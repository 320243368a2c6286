// An empty body is no body, whatever its content type: `curl -d ''` sends one as a form.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { suite, test } from "node:test";

import { addPerson } from "#testing/fixtures/account-api.ts";
import { ladderApi } from "#testing/fixtures/ladder-api.ts";
import { addressOf, operationsOf } from "#testing/fixtures/operations.ts";
import type { Headers, TriedOperation } from "#testing/fixtures/operations.ts";
import { addBot, bearer, tokenOf } from "#testing/fixtures/test-api.ts";

const FORM = "application/x-www-form-urlencoded";

/** Status and body of every operation that may take a body. */
async function answers(headers: Headers, payload?: () => Readable | string) {
  const { api } = await ladderApi();
  const { token } = await addPerson(api, "root", "hopper");
  await addBot(api, "Rex");
  const credentials = ({ schemes }: TriedOperation) =>
    bearer(schemes.includes("Bot") ? tokenOf("Rex") : token);
  const told: Record<string, unknown> = {};
  for (const operation of (await operationsOf(api)).filter(({ method }) => method !== "GET")) {
    const { method } = operation;
    const answer = await api.app.inject({
      method,
      url: addressOf(operation),
      headers: { ...headers, ...credentials(operation) },
      ...(payload && { payload: payload() }),
    });
    const { error } = answer.body.startsWith("{") ? answer.json<{ error?: string }>() : {};
    told[`${method} ${operation.path}`] = `${answer.statusCode} ${error ?? ""}`;
  }
  return told;
}

const empty = () => Readable.from([]);
const EMPTY: readonly [what: string, headers: Headers, payload: () => Readable | string][] = [
  ["a form", { "content-type": FORM }, () => ""],
  ["JSON", { "content-type": "application/json" }, () => ""],
  ["JSON in UTF-16", { "content-type": "application/json; charset=utf-16" }, () => ""],
  ["text", { "content-type": "text/plain" }, () => ""],
  ["a malformed type", { "content-type": ";" }, () => ""],
  ["a compressed body", { "content-encoding": "gzip", "content-type": FORM }, () => ""],
  ["chunks of a form", { "content-type": FORM, "transfer-encoding": "chunked" }, empty],
  ["chunks of no type", { "transfer-encoding": "chunked" }, empty],
];

suite("an empty body counts as none on every route", async () => {
  const expected = await answers({});
  for (const [what, headers, payload] of EMPTY)
    test(`sent as ${what}`, async () => {
      assert.ok(Object.keys(expected).length > 60);
      assert.deepEqual(await answers(headers, payload), expected);
    });
});

test("a body of another type on an unknown path is 404, not 415", async () => {
  const { api } = await ladderApi();
  for (const type of [FORM, "text/plain"]) {
    const request = { method: "POST", url: "/api/nothing", payload: "a=b" } as const;
    const answer = await api.app.inject({ ...request, headers: { "content-type": type } });
    assert.equal(answer.statusCode, 404, type);
  }
});
