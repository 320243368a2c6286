// T66: who asks is looked at again when a body has been held back.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { BotStatus } from "#core/words/bot-status.ts";
import {
  accountApi,
  addAgentKey,
  addOwnBot,
  addPerson,
  promote,
} from "#testing/fixtures/account-api.ts";
import { askOperation, operationsOf } from "#testing/fixtures/operations.ts";
import { bearer, tokenOf } from "#testing/fixtures/test-api.ts";
import { sampleAudit } from "#testing/store-cases/store-samples.ts";

/** Grace, an admin with a bot and a key; `meanwhile` is done once, while a body comes. */
async function heldApi() {
  const api = accountApi();
  const held: { meanwhile: (() => Promise<unknown>) | null } = { meanwhile: null };
  api.app.addHook("preParsing", async () => {
    const { meanwhile } = held;
    held.meanwhile = null;
    await meanwhile?.();
  });
  const { token, account } = await addPerson(api, "grace");
  await promote(api, account);
  const bot = await addOwnBot(api, account, "Rex");
  const key = await addAgentKey(api, token);
  const changing = (await operationsOf(api)).filter(
    ({ method, schemes }) => method !== "GET" && schemes !== "",
  );
  return { api, held, account, bot, token, key, changing };
}

const LEFT_OPEN = ["POST /api/email/unsubscribe"];

describe("a right that ends while a body is held back", () => {
  it("is gone when the body is there, on every route that changes something", async () => {
    const { api, held, account, bot, token, key, changing } = await heldApi();
    const { store } = api;
    const ban = { at: "2026-01-05T12:00:00.000Z", reason: null };
    const status = (to: BotStatus, from: BotStatus) =>
      store.bots.setStatus(bot.id, { from: [from], to, reason: null, at: ban.at }, sampleAudit(1));
    let asked = 0;
    for (const operation of changing) {
      const name = `${operation.method} ${operation.path}`;
      if (LEFT_OPEN.includes(name)) continue;
      const isOfBot = operation.schemes === "BotBearer";
      const isOfKey = operation.schemes.includes("OwnerKey");
      held.meanwhile = isOfBot
        ? () => status("suspended", "active")
        : () => store.accounts.setBan(account.id, ban, sampleAudit(2));
      const credential = isOfBot ? tokenOf("Rex") : isOfKey ? key : token;
      const { status: told, code } = await askOperation(api, operation, bearer(credential));
      assert.deepEqual([told, code], [403, isOfBot ? "suspended" : "account_banned"], name);
      if (isOfBot) await status("active", "suspended");
      else await store.accounts.setBan(account.id, null, sampleAudit(3));
      asked += 1;
    }
    assert.ok(asked > 50, `${asked} operations`);
  });
});
