// T99: one account creates and deletes keys, bots and versions for a day.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";

import { FIXED_LIMITS, DEFAULT_LIMITS } from "#core/limits/limits.ts";
import { sqlitePath } from "#data/sqlite/sqlite-path.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { accountApi, signUpAccount, sendRequest } from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { createTemporaryFolder } from "#testing/harness/test-server.ts";

const MAX_GROWTH_BYTES = 10_000_000;
const CREATED_AT = "2026-01-05T12:00:00.000Z";
const NOTES = "𝄞".repeat(FIXED_LIMITS.version_notes_max);

describe("T99 an account that creates and deletes resources all day", () => {
  let folder: Awaited<ReturnType<typeof createTemporaryFolder>>;
  let store: Store;
  let api: AccountApi;
  let token: string;
  before(async () => {
    folder = await createTemporaryFolder();
    store = await openStore({ data: folder.path }, CREATED_AT);
    api = accountApi({}, { store });
    ({ token } = await signUpAccount(api, "ada"));
  });
  after(async () => {
    await api.app.close();
    await store.close();
    await folder.remove();
  });

  const send = (
    method: "POST" | "PUT" | "DELETE",
    path: string,
    payload?: object,
    byToken = token,
  ) => sendRequest(api, [method, path], { token: byToken, ...(payload && { payload }) });

  /**
   * Creates and deletes until a request is refused. Returns the number of creations and the
   * refusal.
   */
  async function createAndDelete(
    create: () => ReturnType<typeof send>,
    path: (body: never) => string,
  ) {
    for (let createdCount = 0; createdCount < 1000; createdCount += 1) {
      const created = await create();
      if (created.told !== "201") return { made: createdCount, refusal: created };
      const deleteResponse = await send("DELETE", path(created.body as never));
      assert.equal(deleteResponse.told, "200");
    }
    return assert.fail("no limit applied");
  }

  it("adds less than 10 MB to the database", async () => {
    const sizeBefore = sizeOf();
    const keys = await createAndDelete(
      () =>
        send("POST", "/api/account/keys", { label: "k".repeat(FIXED_LIMITS.agent_key_label_max) }),
      ({ id }) => `/api/account/keys/${id}`,
    );
    assert.equal(keys.made, FIXED_LIMITS.agent_keys_per_day);
    assertDailyLimit(keys.refusal, "agent_keys_per_day");
    // Bots that aren't deleted count too.
    const botIds = await createBots();
    let number = 0;
    const bots = await createAndDelete(
      () => send("POST", "/api/account/bots", { name: `${number++}`.padStart(24, "b") }),
      () => `/api/account/bots/${`${number - 1}`.padStart(24, "b")}`,
    );
    assert.equal(bots.made + botIds.length, FIXED_LIMITS.new_bots_per_day);
    assertDailyLimit(bots.refusal, "new_bots_per_day");
    await addVersions(botIds);
    const growth = sizeOf() - sizeBefore;
    assert.ok(growth < MAX_GROWTH_BYTES, `grew by ${growth} bytes`);
  });

  it("can rename bots and replace tokens only a limited number of times", async () => {
    const nameOf = (index: number) => (index === 0 ? "kept-2" : `renamed-${index}`);
    let bot = "";
    const changeUntilLimited = async (change: (index: number) => ReturnType<typeof send>) => {
      for (let index = 0; index < 1000; index += 1) {
        const changeResponse = await change(index);
        if (changeResponse.told !== "200") return { at: index, changed: changeResponse };
        bot = String(changeResponse.body["token"]);
      }
      return assert.fail("no limit applied");
    };
    const renames = await changeUntilLimited((index) =>
      send("PUT", `/api/account/bots/${nameOf(index)}/name`, { name: nameOf(index + 1) }),
    );
    // Setting the first handle counts as a rename.
    assert.equal(renames.at + 1, FIXED_LIMITS.renames_per_day);
    assertDailyLimit(renames.changed, "renames_per_day");
    const handle = await send("PUT", "/api/account/handle", { handle: "other" });
    assertDailyLimit(handle, "renames_per_day");
    const name = nameOf(renames.at);
    const tokens = await changeUntilLimited(() => send("POST", `/api/account/bots/${name}/token`));
    assert.equal(tokens.at, FIXED_LIMITS.new_tokens_per_day);
    assertDailyLimit(tokens.changed, "new_tokens_per_day");
    assertDailyLimit(await send("POST", "/api/me/token", undefined, bot), "new_tokens_per_day");
  });

  it("can create resources again on the next UTC day", async () => {
    while (api.now().getUTCDate() === new Date(CREATED_AT).getUTCDate()) api.nextMinute();
    assert.equal((await send("POST", "/api/account/keys", { label: "next" })).told, "201");
    assert.equal((await send("DELETE", "/api/account/bots/kept-1")).told, "200");
    assert.equal((await send("POST", "/api/account/bots", { name: "next" })).told, "201");
  });

  async function createBots(): Promise<string[]> {
    const tokens: string[] = [];
    for (let index = 1; index < DEFAULT_LIMITS.bots_per_owner; index += 1) {
      const { told: outcome, body } = await send("POST", "/api/account/bots", {
        name: `kept-${index}`,
      });
      assert.equal(outcome, "201");
      tokens.push(String(body["token"]));
    }
    return tokens;
  }

  /**
   * Creates the maximum number of versions for each bot. Uses notes of the maximum length until the
   * daily notes limit is reached, then no notes.
   */
  async function addVersions(tokens: readonly string[]): Promise<void> {
    let notes = NOTES;
    for (const bot of tokens)
      for (let index = 0; index < DEFAULT_LIMITS.versions_per_day; index += 1) {
        const label = String(index).padStart(FIXED_LIMITS.version_label_max, "v");
        const createdCount = await send("POST", "/api/me/versions", { label, notes }, bot);
        if (createdCount.told === "201") continue;
        assertDailyLimit(createdCount, "version_notes_bytes_per_day");
        notes = "";
        index -= 1;
      }
    assert.equal(notes, "", "notes are limited");
  }

  /** Returns the database size in bytes, including its write-ahead log. */
  function sizeOf(): number {
    using database = new DatabaseSync(sqlitePath(folder.path), { readOnly: true });
    const sql = "select page_count * page_size as size from pragma_page_count, pragma_page_size";
    return Number(database.prepare(sql).get()?.["size"]);
  }
});

function assertDailyLimit(
  { told: outcome, body, headers }: Awaited<ReturnType<typeof sendRequest>>,
  limit: string,
) {
  assert.deepEqual([outcome, body["limit"]], ["429 rate_limited", limit]);
  const waitS = Number(headers["retry-after"]);
  assert.ok(waitS > 0 && waitS <= 12 * 3600, `${waitS} s`);
}
