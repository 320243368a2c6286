// An empty body counts as missing, whatever its content type: `curl -d ''` sends an empty form.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { suite, test } from "node:test";

import { signUpAccount } from "#testing/fixtures/account-api.ts";
import { ladderApi } from "#testing/fixtures/ladder-api.ts";
import { unknownAddress, listOperations } from "#testing/fixtures/operations.ts";
import type { RequestHeaders, ListedOperation } from "#testing/fixtures/operations.ts";
import { addTestBot, bearerHeader, botTokenOf } from "#testing/fixtures/test-api.ts";

const FORM = "application/x-www-form-urlencoded";

async function answers(headers: RequestHeaders, payload?: () => Readable | string) {
  const { api } = await ladderApi();
  const { token } = await signUpAccount(api, "root", "hopper");
  await addTestBot(api, "Rex");
  const credentials = ({ schemes }: ListedOperation) =>
    bearerHeader(schemes.includes("Bot") ? botTokenOf("Rex") : token);
  const outcome: Record<string, unknown> = {};
  for (const operation of (await listOperations(api)).filter(({ method }) => method !== "GET")) {
    const { method } = operation;
    const response = await api.app.inject({
      method,
      url: unknownAddress(operation),
      headers: { ...headers, ...credentials(operation) },
      ...(payload && { payload: payload() }),
    });
    const { error } = response.body.startsWith("{") ? response.json<{ error?: string }>() : {};
    outcome[`${method} ${operation.path}`] = `${response.statusCode} ${error ?? ""}`;
  }
  return outcome;
}

const emptyStream = () => Readable.from([]);
const EMPTY_BODIES: readonly [
  what: string,
  headers: RequestHeaders,
  payload: () => Readable | string,
][] = [
  ["a form", { "content-type": FORM }, () => ""],
  ["JSON", { "content-type": "application/json" }, () => ""],
  ["JSON in UTF-16", { "content-type": "application/json; charset=utf-16" }, () => ""],
  ["text", { "content-type": "text/plain" }, () => ""],
  ["a malformed type", { "content-type": ";" }, () => ""],
  ["a compressed body", { "content-encoding": "gzip", "content-type": FORM }, () => ""],
  ["chunked form data", { "content-type": FORM, "transfer-encoding": "chunked" }, emptyStream],
  ["chunks without a type", { "transfer-encoding": "chunked" }, emptyStream],
];

suite("an empty body counts as missing on every route", async () => {
  const expected = await answers({});
  for (const [description, headers, payload] of EMPTY_BODIES)
    test(`sent as ${description}`, async () => {
      assert.ok(Object.keys(expected).length > 60);
      assert.deepEqual(await answers(headers, payload), expected);
    });
});

test("a body of an unsupported type on an unknown path returns 404, not 415", async () => {
  const { api } = await ladderApi();
  for (const type of [FORM, "text/plain"]) {
    const request = { method: "POST", url: "/api/nothing", payload: "a=b" } as const;
    const response = await api.app.inject({ ...request, headers: { "content-type": type } });
    assert.equal(response.statusCode, 404, type);
  }
});
