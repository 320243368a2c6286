// T99: one account creates and deletes keys, bots and versions for a day.
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";

import { FIXED, LIMITS } from "#core/words/limits.ts";
import { sqlitePath } from "#data/sqlite/sqlite-path.ts";
import type { Store } from "#data/store/store.ts";
import { openStore } from "#server/composition/open-store.ts";
import { accountApi, addPerson, ask } from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { temporaryFolder } from "#testing/harness/test-server.ts";

const MOST_GROWTH = 10_000_000;
const MADE = "2026-01-05T12:00:00.000Z";
/** The longest notes: four bytes a character. */
const NOTES = "𝄞".repeat(FIXED.version_notes_max);

describe("T99 an account that creates and deletes for a day", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: Store;
  let api: AccountApi;
  let token: string;
  before(async () => {
    folder = await temporaryFolder();
    store = await openStore({ data: folder.path }, MADE);
    api = accountApi({}, { store });
    ({ token } = await addPerson(api, "ada"));
  });
  after(async () => {
    await api.app.close();
    await store.close();
    await folder.remove();
  });

  const send = (method: "POST" | "PUT" | "DELETE", path: string, payload?: object, by = token) =>
    ask(api, [method, path], { token: by, ...(payload && { payload }) });

  /** Creates and deletes until refused; returns how often and the refusal. */
  async function churn(create: () => ReturnType<typeof send>, path: (body: never) => string) {
    for (let made = 0; made < 1000; made += 1) {
      const created = await create();
      if (created.told !== "201") return { made, refusal: created };
      const gone = await send("DELETE", path(created.body as never));
      assert.equal(gone.told, "200");
    }
    return assert.fail("nothing ends it");
  }

  it("grows the database by less than 10 MB", async () => {
    const before = sizeOf();
    const keys = await churn(
      () => send("POST", "/api/account/keys", { label: "k".repeat(FIXED.agent_key_label_max) }),
      ({ id }) => `/api/account/keys/${id}`,
    );
    assert.equal(keys.made, FIXED.agent_keys_per_day);
    assertDailyLimit(keys.refusal, "agent_keys_per_day");
    // Bots that stay count as well.
    const kept = await keepBots();
    let number = 0;
    const bots = await churn(
      () => send("POST", "/api/account/bots", { name: `${number++}`.padStart(24, "b") }),
      () => `/api/account/bots/${`${number - 1}`.padStart(24, "b")}`,
    );
    assert.equal(bots.made + kept.length, FIXED.new_bots_per_day);
    assertDailyLimit(bots.refusal, "new_bots_per_day");
    await addVersions(kept);
    const growth = sizeOf() - before;
    assert.ok(growth < MOST_GROWTH, `grew by ${growth} bytes`);
  });

  it("limits new names and new tokens", async () => {
    const nameOf = (at: number) => (at === 0 ? "kept-2" : `renamed-${at}`);
    let bot = "";
    const until429 = async (change: (at: number) => ReturnType<typeof send>) => {
      for (let at = 0; at < 1000; at += 1) {
        const changed = await change(at);
        if (changed.told !== "200") return { at, changed };
        bot = String(changed.body["token"]);
      }
      return assert.fail("nothing ends it");
    };
    const renames = await until429((at) =>
      send("PUT", `/api/account/bots/${nameOf(at)}/name`, { name: nameOf(at + 1) }),
    );
    // The handle of the account was the first.
    assert.equal(renames.at + 1, FIXED.renames_per_day);
    assertDailyLimit(renames.changed, "renames_per_day");
    const handle = await send("PUT", "/api/account/handle", { handle: "other" });
    assertDailyLimit(handle, "renames_per_day");
    const name = nameOf(renames.at);
    const tokens = await until429(() => send("POST", `/api/account/bots/${name}/token`));
    assert.equal(tokens.at, FIXED.new_tokens_per_day);
    assertDailyLimit(tokens.changed, "new_tokens_per_day");
    assertDailyLimit(await send("POST", "/api/me/token", undefined, bot), "new_tokens_per_day");
  });

  it("may create again on the next UTC day", async () => {
    while (api.now().getUTCDate() === new Date(MADE).getUTCDate()) api.tick();
    assert.equal((await send("POST", "/api/account/keys", { label: "next" })).told, "201");
    assert.equal((await send("DELETE", "/api/account/bots/kept-1")).told, "200");
    assert.equal((await send("POST", "/api/account/bots", { name: "next" })).told, "201");
  });

  /** One place stays free for the churn. */
  async function keepBots(): Promise<string[]> {
    const tokens: string[] = [];
    for (let at = 1; at < LIMITS.bots_per_owner; at += 1) {
      const { told, body } = await send("POST", "/api/account/bots", { name: `kept-${at}` });
      assert.equal(told, "201");
      tokens.push(String(body["token"]));
    }
    return tokens;
  }

  /** As many as are allowed, with the longest notes until those are refused, then without. */
  async function addVersions(tokens: readonly string[]): Promise<void> {
    let notes = NOTES;
    for (const bot of tokens)
      for (let at = 0; at < LIMITS.versions_per_day; at += 1) {
        const label = String(at).padStart(FIXED.version_label_max, "v");
        const made = await send("POST", "/api/me/versions", { label, notes }, bot);
        if (made.told === "201") continue;
        assertDailyLimit(made, "version_notes_bytes_per_day");
        notes = "";
        at -= 1;
      }
    assert.equal(notes, "", "notes are limited");
  }

  /** Of the database in bytes, with its write-ahead log. */
  function sizeOf(): number {
    using database = new DatabaseSync(sqlitePath(folder.path), { readOnly: true });
    const sql = "select page_count * page_size as size from pragma_page_count, pragma_page_size";
    return Number(database.prepare(sql).get()?.["size"]);
  }
});

function assertDailyLimit({ told, body, headers }: Awaited<ReturnType<typeof ask>>, limit: string) {
  assert.deepEqual([told, body["limit"]], ["429 rate_limited", limit]);
  const waitS = Number(headers["retry-after"]);
  assert.ok(waitS > 0 && waitS <= 12 * 3600, `${waitS} s`);
}
