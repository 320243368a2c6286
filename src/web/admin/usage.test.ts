import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { AUDIT_KINDS, SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import {
  accountApi,
  addAccountBot,
  signUpAccount,
  sendRequest,
} from "#testing/fixtures/account-api.ts";
import { addTestBot } from "#testing/fixtures/test-api.ts";

async function world() {
  const api = accountApi();
  const { token, account } = await signUpAccount(api, "root", "hopper");
  const get = (path: string) => sendRequest(api, ["GET", `/api/admin/${path}`], { token });
  const post = (path: string, payload?: object) =>
    sendRequest(api, ["POST", `/api/admin/${path}`], { token, ...(payload && { payload }) });
  return { api, token, account, get, post };
}

describe("the audit log", () => {
  async function filledWorld() {
    const usageWorld = await world();
    const emptyQueries = { actor: SYSTEM_ACTOR, subject: null, reason: null, detail: null };
    const entries = AUDIT_KINDS.map((kind): AuditEntry => {
      return { id: usageWorld.api.newId(), at: usageWorld.api.nextMinute(), kind, ...emptyQueries };
    });
    await usageWorld.api.store.audit.add(entries);
    const kinds = async (query: string) => {
      const { body } = await usageWorld.get(`audit${query}`);
      return (body as unknown as AuditEntry[]).map(({ kind }) => kind);
    };
    return { ...usageWorld, entries, kinds };
  }

  it("is listed newest first, filtered by kind or kind prefix", async () => {
    const { kinds } = await filledWorld();
    const latest = AUDIT_KINDS.toReversed();
    assert.deepEqual(await kinds("?limit=3"), latest.slice(0, 3));
    assert.equal((await kinds("")).length, 50);
    assert.deepEqual(await kinds("?kind=bot.banned"), ["bot.banned"]);
    const botEntries = latest.filter((kind) => kind.startsWith("bot."));
    assert.deepEqual(await kinds("?kind=bot."), botEntries);
    for (const unknown of ["bot", "bot.x", "x.", ".", "", "%25", "__proto__", "b%00"])
      assert.deepEqual(await kinds(`?kind=${unknown}`), [], unknown);
  });

  it("is paged", async () => {
    const { entries, kinds, get } = await filledWorld();
    const { id } = entries[9]!;
    const older = entries.slice(0, 9).toReversed();
    assert.deepEqual(
      (await kinds(`?before=${id}`)).slice(0, 9),
      older.map(({ kind }) => kind),
    );
    assert.deepEqual(await kinds(`?kind=bot.&limit=1&before=${id}`), [older[0]!.kind]);
    assert.equal((await get("audit?before=01900000-0000-7000-8000-999999999999")).told, "404");
    assert.equal((await get("audit?before=x")).told, "404");
    for (const limit of ["0", "501", "x"])
      assert.equal((await get(`audit?limit=${limit}`)).told, "400", limit);
  });
});

it("usage lists who started matches in the last day, highest number first", async () => {
  const { api, get } = await world();
  const ada = await signUpAccount(api, "ada");
  const rex = await addAccountBot(api, ada.account, "Rex");
  const old = await addAccountBot(api, ada.account, "Old");
  const kiter = await addTestBot(api, "house-kiter", {
    house: true,
    owner: "house",
    ownerId: "house",
  });
  const counts = (running: number, hour: number, day: number) => ({ running, hour, day });
  api.arena.playUsage = {
    bots: [
      { botId: old.id, ...counts(0, 0, 3) },
      { botId: kiter.id, ...counts(2, 9, 20) },
      { botId: api.newId(), ...counts(0, 1, 1) },
      { botId: rex.id, ...counts(1, 2, 7) },
    ],
    owners: [
      { ownerId: ada.account.id, ...counts(1, 2, 10) },
      { ownerId: "house", ...counts(2, 9, 20) },
      { ownerId: "anon:gone", ...counts(0, 1, 1) },
    ],
  };
  const { told: outcome, body } = await get("usage");
  assert.equal(outcome, "200");
  assert.deepEqual(body.bots, [
    { id: kiter.id, name: "house-kiter", owner: "house", house: true, ...counts(2, 9, 20) },
    { id: rex.id, name: "Rex", owner: "ada", house: false, ...counts(1, 2, 7) },
    { id: old.id, name: "Old", owner: "ada", house: false, ...counts(0, 0, 3) },
  ]);
  assert.deepEqual(body.owners, [
    { owner: "house", account_id: null, bots: 1, ...counts(2, 9, 20) },
    { owner: "ada", account_id: ada.account.id, bots: 2, ...counts(1, 2, 10) },
  ]);
  assert.deepEqual(body.capacity, { running: 0, max: 320 });
  const index = (await api.app.inject("/api")).json<{ operational_policy: object }>();
  assert.deepEqual(body.limits, index.operational_policy);
});

it("trimming replays reports what was removed, in the response and the audit log", async () => {
  const { api, post, account } = await world();
  Object.assign(api.trimState, { removed: 3, bytes: 4096 });
  assert.deepEqual((await post("replays/trim")).body, { removed: 3, bytes: 4096 });
  assert.equal((await post("replays/trim", { all: true })).told, "400");
  assert.equal(api.trimState.runCount, 1);
  const [entry] = await api.store.audit.list({ limit: 1 });
  assert.deepEqual(
    [entry?.kind, entry?.actor.id, entry?.detail],
    ["replays.trimmed", account.id, { removed: 3, bytes: 4096 }],
  );
});
