import assert from "node:assert/strict";
import { test } from "node:test";

import type { SettingsView } from "#core/api/settings-schemas.ts";
import { sendRequest, signUpAccount } from "#testing/fixtures/account-api.ts";
import { ladderApi } from "#testing/fixtures/ladder-api.ts";

import { printSettings } from "./settings-print.ts";

test("prints settings with ladder limits, overrides and history", async () => {
  const { api, createLadder } = await ladderApi();
  const { token } = await signUpAccount(api, "root", "hopper");
  await createLadder({ max_concurrent: 8, owner_concurrency: 2 });
  await createLadder({ id: "plain", name: "Plain" });
  const ladders = { cup: { max_concurrent: 400 }, public: { max_concurrent: 5 } };
  const payload = { revision: 0, overrides: { max_concurrent: 100 }, ladders };
  const { body } = await sendRequest(api, ["PUT", "/api/admin/settings"], { token, payload });
  const lines = printSettings(body as unknown as SettingsView);
  const from = lines.findIndex((line) => line.startsWith("LADDER"));
  assert.deepEqual(
    lines.slice(from, from + 5).map((line) => line.trim().split(/ +/).join(" ")),
    [
      "LADDER BOUND VALUE SET DEFAULT",
      "public max_concurrent 5 5 -",
      "cup max_concurrent 100 400 8",
      "cup owner_concurrency 2 - 2",
      "",
    ],
  );
  assert.match(lines.join("\n"), /cup max_concurrent - to 400/);
});
