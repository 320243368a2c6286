import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { it } from "node:test";

import { freshFolder } from "#testing/fixtures/identity-world.ts";

import { makeRefreshToken, parseRefreshToken } from "./refresh-token.ts";
import { openSecrets } from "./secrets.ts";

const open = () => openSecrets(join(freshFolder(), "secrets.json"), () => new Date());

it("a token is read as it was made", async () => {
  const secrets = await open();
  for (const counter of [0, 1, 77, 2 ** 32 - 1]) {
    const made = { sessionId: randomUUID(), counter };
    assert.deepEqual(parseRefreshToken(secrets, makeRefreshToken(secrets, made)), made);
  }
});

it("a token of which any bit is changed is none", async () => {
  const secrets = await open();
  const token = makeRefreshToken(secrets, { sessionId: randomUUID(), counter: 5 });
  const bytes = Buffer.from(token, "base64url");
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    assert.equal(parseRefreshToken(secrets, changed.toString("base64url")), null, `byte ${at}`);
  }
  for (const wrong of [undefined, null, 7, "", "x", token.slice(1), `${token}A`, [token]])
    assert.equal(parseRefreshToken(secrets, wrong), null);
});

it("a token of another server is none", async () => {
  const made = { sessionId: randomUUID(), counter: 0 };
  assert.equal(parseRefreshToken(await open(), makeRefreshToken(await open(), made)), null);
});
