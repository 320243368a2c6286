import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { it } from "node:test";

import { temporaryIdentityFolder } from "#testing/fixtures/identity-world.ts";

import { makeRefreshToken, parseRefreshToken } from "./refresh-token.ts";
import { openSecrets } from "./secrets.ts";

const open = () => openSecrets(join(temporaryIdentityFolder(), "secrets.json"), () => new Date());

it("parses a token back into its original values", async () => {
  const secrets = await open();
  for (const counter of [0, 1, 77, 2 ** 32 - 1]) {
    const original = { sessionId: randomUUID(), counter };
    assert.deepEqual(parseRefreshToken(secrets, makeRefreshToken(secrets, original)), original);
  }
});

it("rejects a token if any bit has changed", async () => {
  const secrets = await open();
  const token = makeRefreshToken(secrets, { sessionId: randomUUID(), counter: 5 });
  const bytes = Buffer.from(token, "base64url");
  for (let at = 0; at < bytes.length; at += 1) {
    const tampered = Buffer.from(bytes);
    tampered[at]! ^= 1;
    assert.equal(parseRefreshToken(secrets, tampered.toString("base64url")), null, `byte ${at}`);
  }
  for (const invalidToken of [undefined, null, 7, "", "x", token.slice(1), `${token}A`, [token]])
    assert.equal(parseRefreshToken(secrets, invalidToken), null);
});

it("rejects another server's token", async () => {
  const original = { sessionId: randomUUID(), counter: 0 };
  assert.equal(parseRefreshToken(await open(), makeRefreshToken(await open(), original)), null);
});
