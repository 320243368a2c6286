// T66: authentication runs again if the body arrives late.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { BotStatus } from "#core/ids/bot-status.ts";
import {
  accountApi,
  addAgentKey,
  addAccountBot,
  signUpAccount,
  makeAdmin,
} from "#testing/fixtures/account-api.ts";
import { requestOperation, listOperations } from "#testing/fixtures/operations.ts";
import { bearerHeader, botTokenOf } from "#testing/fixtures/test-api.ts";
import { sampleAudit } from "#testing/store-contract/store-samples.ts";

/**
 * Opens an API with Grace, an admin with a bot and an agent key. A callback runs once while the
 * body is delayed.
 */
async function delayedApi() {
  const api = accountApi();
  const hook: { duringBody: (() => Promise<unknown>) | null } = { duringBody: null };
  api.app.addHook("preParsing", async () => {
    const { duringBody } = hook;
    hook.duringBody = null;
    await duringBody?.();
  });
  const { token, account } = await signUpAccount(api, "grace");
  await makeAdmin(api, account);
  const bot = await addAccountBot(api, account, "Rex");
  const key = await addAgentKey(api, token);
  const changingOperations = (await listOperations(api)).filter(
    ({ method, schemes }) => method !== "GET" && schemes !== "",
  );
  return { api, held: hook, account, bot, token, key, changing: changingOperations };
}

const UNAUTHENTICATED = ["POST /api/email/unsubscribe"];

describe("access that ends while the body is delayed", () => {
  it("is refused once the body has arrived, on every route that changes something", async () => {
    const {
      api,
      held: hook,
      account,
      bot,
      token,
      key,
      changing: changingOperations,
    } = await delayedApi();
    const { store } = api;
    const ban = { at: "2026-01-05T12:00:00.000Z", reason: null };
    const status = (to: BotStatus, from: BotStatus) =>
      store.bots.setStatus(bot.id, { from: [from], to, reason: null, at: ban.at }, sampleAudit(1));
    let operationCount = 0;
    for (const operation of changingOperations) {
      const name = `${operation.method} ${operation.path}`;
      if (UNAUTHENTICATED.includes(name)) continue;
      const isBotRoute = operation.schemes === "BotBearer";
      const isKeyRoute = operation.schemes.includes("OwnerKey");
      hook.duringBody = isBotRoute
        ? () => status("suspended", "active")
        : () => store.accounts.setBan(account.id, ban, sampleAudit(2));
      const credential = isBotRoute ? botTokenOf("Rex") : isKeyRoute ? key : token;
      const { status: outcome, code } = await requestOperation(
        api,
        operation,
        bearerHeader(credential),
      );
      assert.deepEqual([outcome, code], [403, isBotRoute ? "suspended" : "account_banned"], name);
      if (isBotRoute) await status("active", "suspended");
      else await store.accounts.setBan(account.id, null, sampleAudit(3));
      operationCount += 1;
    }
    assert.ok(operationCount > 50, `${operationCount} operations`);
  });
});
