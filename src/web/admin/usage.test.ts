// The audit, who plays how much, and the trim of replays, as operators ask for them.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { AUDIT_KINDS, SYSTEM } from "#core/words/audit.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { accountApi, addOwnBot, addPerson, ask } from "#testing/fixtures/account-api.ts";
import { addBot } from "#testing/fixtures/test-api.ts";

async function world() {
  const api = accountApi();
  const { token, account } = await addPerson(api, "root", "hopper");
  const get = (path: string) => ask(api, ["GET", `/api/admin/${path}`], { token });
  const post = (path: string, payload?: object) =>
    ask(api, ["POST", `/api/admin/${path}`], { token, ...(payload && { payload }) });
  return { api, token, account, get, post };
}

describe("the audit", () => {
  async function filled() {
    const here = await world();
    const blank = { actor: SYSTEM, subject: null, reason: null, detail: null };
    const entries = AUDIT_KINDS.map((kind): AuditEntry => {
      return { id: here.api.newId(), at: here.api.tick(), kind, ...blank };
    });
    await here.api.store.audit.add(entries);
    const kinds = async (query: string) => {
      const { body } = await here.get(`audit${query}`);
      return (body as unknown as AuditEntry[]).map(({ kind }) => kind);
    };
    return { ...here, entries, kinds };
  }

  it("is given newest first, by kind or by the beginning of one", async () => {
    const { kinds } = await filled();
    const latest = AUDIT_KINDS.toReversed();
    assert.deepEqual(await kinds("?limit=3"), latest.slice(0, 3));
    assert.equal((await kinds("")).length, 50);
    assert.deepEqual(await kinds("?kind=bot.banned"), ["bot.banned"]);
    const ofBots = latest.filter((kind) => kind.startsWith("bot."));
    assert.deepEqual(await kinds("?kind=bot."), ofBots);
    for (const unknown of ["bot", "bot.x", "x.", ".", "", "%25", "__proto__", "b%00"])
      assert.deepEqual(await kinds(`?kind=${unknown}`), [], unknown);
  });

  it("is read page by page", async () => {
    const { entries, kinds, get } = await filled();
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

it("usage lists who started matches in the last day, those with most first", async () => {
  const { api, get } = await world();
  const ada = await addPerson(api, "ada");
  const rex = await addOwnBot(api, ada.account, "Rex");
  const old = await addOwnBot(api, ada.account, "Old");
  const kiter = await addBot(api, "house-kiter", { house: true, owner: "house", ownerId: "house" });
  const counts = (running: number, hour: number, day: number) => ({ running, hour, day });
  api.arena.played = {
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
  const { told, body } = await get("usage");
  assert.equal(told, "200");
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

it("a trim tells what it removed, also in the audit", async () => {
  const { api, post, account } = await world();
  Object.assign(api.trims, { removed: 3, bytes: 4096 });
  assert.deepEqual((await post("replays/trim")).body, { removed: 3, bytes: 4096 });
  assert.equal((await post("replays/trim", { all: true })).told, "400");
  assert.equal(api.trims.ran, 1);
  const [entry] = await api.store.audit.list({ limit: 1 });
  assert.deepEqual(
    [entry?.kind, entry?.actor.id, entry?.detail],
    ["replays.trimmed", account.id, { removed: 3, bytes: 4096 }],
  );
});
