import assert from "node:assert/strict";
import { test } from "node:test";

import type { SettingsView } from "#core/operator/settings.ts";
import { ask, addPerson } from "#testing/fixtures/account-api.ts";
import { ladderApi } from "#testing/fixtures/ladder-api.ts";

import { printSettings } from "./settings-print.ts";

test("settings are printed with what holds on ladders, what is set and how they were made", async () => {
  const { api, make } = await ladderApi();
  const { token } = await addPerson(api, "root", "hopper");
  await make({ max_concurrent: 8, owner_concurrency: 2 });
  await make({ id: "plain", name: "Plain" });
  const ladders = { cup: { max_concurrent: 400 }, public: { max_concurrent: 5 } };
  const payload = { revision: 0, overrides: { max_concurrent: 100 }, ladders };
  const { body } = await ask(api, ["PUT", "/api/admin/settings"], { token, payload });
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
