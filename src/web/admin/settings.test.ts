// What operators do with the settings, over HTTP.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { LIMITS, LIMIT_TABLE, SETTING_NAMES } from "#core/words/limits.ts";
import { NO_BOUNDS } from "#core/words/settings.ts";
import { StoreError } from "#data/store/errors.ts";
import { addPerson, ask } from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { ladderApi } from "#testing/fixtures/ladder-api.ts";

type Body = Record<string, unknown>;

async function world() {
  const { api, make } = await ladderApi();
  const { token, account } = await addPerson(api, "root", "hopper");
  const call = (method: "GET" | "POST" | "PUT" | "DELETE", path = "", payload?: object) =>
    ask(api, [method, `/api/admin/settings${path}`], { token, ...(payload && { payload }) });
  const snapshot = (revision: number, overrides: Body = {}, ladders: Body = {}) => ({
    revision,
    overrides,
    ladders,
  });
  const put = (revision: number, overrides?: Body, ladders?: Body) =>
    call("PUT", "", snapshot(revision, overrides, ladders));
  const preview = (revision: number, overrides?: Body, ladders?: Body) =>
    call("POST", "/preview", snapshot(revision, overrides, ladders));
  return { api, token, account, make, call, put, preview };
}

const kindsIn = async ({ store }: AccountApi) =>
  (await store.audit.list({ limit: 99 })).map(({ kind }) => kind);

describe("the settings", () => {
  it("are shown with their bounds before anybody changes them", async () => {
    const { call } = await world();
    const { told, body, headers } = await call("GET");
    assert.equal(told, "200");
    assert.equal(headers["cache-control"], "private, no-store");
    const { revision, overrides, ladders, history, presets } = body;
    assert.deepEqual(
      { revision, overrides, ladders, history, presets },
      { revision: 0, overrides: {}, ladders: {}, history: [], presets: [] },
    );
    const values = Object.fromEntries(SETTING_NAMES.map((name) => [name, LIMITS[name]]));
    for (const part of ["bundled", "deployment", "effective"]) assert.deepEqual(body[part], values);
    const fields = body.fields as { name: string; unit: string | null }[];
    assert.deepEqual(
      fields.map(({ name }) => name),
      SETTING_NAMES,
    );
    assert.deepEqual(fields[0], {
      name: "match_interval_s",
      group: "bot",
      unit: "seconds",
      type: "number",
      least: 0,
      most: 86_400,
      applies: "at once",
      about: LIMIT_TABLE.match_interval_s.about,
    });
    const open = fields.find(({ name }) => name === "registration_open");
    assert.deepEqual(
      { ...open, about: "" },
      {
        name: "registration_open",
        group: "bot",
        unit: null,
        type: "boolean",
        least: null,
        most: null,
        applies: "at once",
        about: "",
      },
    );
    assert.deepEqual(body.capacity, [
      { ladder_id: "public", running: 0, max_concurrent: 320, owner_concurrency: 40 },
    ]);
  });

  it("change all at once, with an entry in the audit that has old and new", async () => {
    const { api, call, put, account } = await world();
    const { told, body } = await put(0, { tick_s: 2, signup_open: false });
    assert.equal(told, "200");
    assert.deepEqual([body.revision, body.overrides], [1, { tick_s: 2, signup_open: false }]);
    assert.deepEqual([body.effective.tick_s, body.bundled.tick_s], [2, 1]);
    assert.equal(api.live.current().tick_s, 2);
    const changes = [
      { field: "signup_open", ladder_id: null, from: true, to: false },
      { field: "tick_s", ladder_id: null, from: 1, to: 2 },
    ];
    assert.deepEqual(body.history, [
      { revision: 1, at: body.history[0].at, by: "hopper", changes },
    ]);
    const [entry] = await api.store.audit.list({ limit: 1 });
    assert.deepEqual(entry?.detail, { revision: 1, changes });
    assert.deepEqual(
      [entry?.kind, entry?.actor.id, entry?.subject],
      ["settings.changed", account.id, { kind: "settings", id: "1", name: null }],
    );
    const index = await api.app.inject("/api");
    const { operational_policy: policy } = index.json<{ operational_policy: Body }>();
    assert.deepEqual((policy.deadlines as Body).tick_s, 2);
    assert.deepEqual((policy.identity as Body).signup_open, false);
    const back = { revision: 1, overrides: {}, ladders: {}, reason: "Too slow." };
    assert.deepEqual((await call("PUT", "", back)).body.overrides, {});
    const [latest] = await api.store.audit.list({ limit: 1 });
    assert.deepEqual([entry?.reason, latest?.reason], [null, "Too slow."]);
    assert.deepEqual(api.live.current(), LIMITS);
    assert.equal((await call("GET")).body.revision, 2);
  });

  it("T79 take one change from a revision, also of two at once", async () => {
    const { api, put, preview } = await world();
    const told = await Promise.all([put(0, { tick_s: 2 }), put(0, { tick_s: 3 })]);
    assert.deepEqual(
      told.map((answer) => answer.told),
      ["200", "409 settings_conflict"],
    );
    assert.equal(api.live.current().tick_s, 2);
    for (const stale of [await put(0), await put(7), await preview(0)])
      assert.equal(stale.told, "409 settings_conflict");
    assert.equal(api.live.revision(), 1);
    assert.equal((await kindsIn(api)).filter((kind) => kind === "settings.changed").length, 1);
  });

  it("T55 refuse what they do not know, telling all that is wrong, and change nothing", async () => {
    const { api, token, call, put } = await world();
    const wrong: [payload: object, ...said: RegExp[]][] = [
      [{}, /'revision' is needed/, /'overrides' is needed/, /'ladders' is needed/],
      [{ revision: "0", overrides: [], ladders: 1 }, /'revision'/, /'overrides'/, /'ladders'/],
      [{ revision: 0, overrides: {}, ladders: {}, why: "x" }, /'why' is not known/],
    ];
    const overrides: [values: Body, ...said: RegExp[]][] = [
      [{ turbo: 1, tick_s: 0 }, /'overrides.turbo' is not known/, /'overrides.tick_s' must be/],
      [{ constructor: 1 }, /'overrides.constructor' is not known/],
      [{ message_bytes: 1 }, /'overrides.message_bytes' is not known/],
      [{ signup_open: 1 }, /'overrides.signup_open' must be true or false/],
      [{ max_concurrent: 1.5, budget_s: null }, /max_concurrent' must be a whole/, /budget_s'/],
    ];
    for (const [values, ...said] of overrides)
      wrong.push([{ revision: 0, overrides: values, ladders: {} }, ...said]);
    const ladders: [values: Body, ...said: RegExp[]][] = [
      [{ gone: {}, constructor: {} }, /'ladders.gone' is no ladder; 'ladders.constructor'/],
      [{ public: { max_concurrent: -1, maps: 1 } }, /public.max_concurrent'/, /public.maps'/],
      [{ public: { owner_concurrency: 0 } }, /public.owner_concurrency' must be .* from 1/],
    ];
    for (const [values, ...said] of ladders)
      wrong.push([{ revision: 0, overrides: {}, ladders: values }, ...said]);
    for (const [payload, ...said] of wrong)
      for (const [method, path] of [
        ["PUT", ""],
        ["POST", "/preview"],
      ] as const) {
        const { told, body } = await call(method, path, payload);
        assert.equal(told, "400 invalid_settings", JSON.stringify(payload));
        for (const text of said) assert.match(String(body.error), text);
      }
    const answer = await api.app.inject({
      method: "PUT",
      url: "/api/admin/settings",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      payload: '{"revision":0,"overrides":{"__proto__":{"tick_s":9}},"ladders":{}}',
    });
    assert.deepEqual([answer.statusCode, answer.json().code], [400, "invalid_settings"]);
    for (const payload of ["{", "[]", "null", "5"]) {
      const { statusCode, json } = await api.app.inject({
        method: "PUT",
        url: "/api/admin/settings",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        payload,
      });
      assert.deepEqual([statusCode, json().code], [400, "invalid_settings"], payload);
    }
    assert.equal((await put(0, { tick_s: 1 })).told, "200", "nothing was changed before");
    assert.equal(({} as Body).tick_s, undefined);
  });

  it("show in a preview what would change, and change nothing", async () => {
    const { api, preview, make } = await world();
    await make({ max_concurrent: 8 });
    api.trims.removed = 7;
    const overrides = { tick_s: 2, replays_per_bot: 9, registration_open: true };
    const { told, body } = await preview(0, overrides, { cup: { max_concurrent: 3 } });
    assert.equal(told, "200");
    assert.deepEqual(body, {
      revision: 0,
      changes: [
        { field: "tick_s", ladder_id: null, from: 1, to: 2, applies: "new matches" },
        { field: "replays_per_bot", ladder_id: null, from: 200, to: 9, applies: "next cleanup" },
        { field: "max_concurrent", ladder_id: "cup", from: null, to: 3, applies: "at once" },
      ],
      replays_removed: 7,
    });
    assert.deepEqual(
      api.trims.asked.map((keep) => (keep as { replays_per_bot: number }).replays_per_bot),
      [9],
    );
    assert.deepEqual([api.live.current(), api.live.revision()], [LIMITS, 0]);
    assert.deepEqual(api.live.boundsOf("cup"), NO_BOUNDS);
  });

  it("bound ladders, public too; the smaller bound counts, and what is left out goes", async () => {
    const { api, make, put } = await world();
    await make();
    const bounds = {
      cup: { max_concurrent: 400, owner_concurrency: 2 },
      public: { max_concurrent: 0 },
    };
    const { body } = await put(0, { max_concurrent: 9 }, bounds);
    assert.deepEqual(body.ladders, bounds);
    assert.deepEqual(body.capacity, [
      { ladder_id: "public", running: 0, max_concurrent: 0, owner_concurrency: 40 },
      { ladder_id: "cup", running: 0, max_concurrent: 9, owner_concurrency: 2 },
    ]);
    assert.equal(api.live.boundsOf("public").maxConcurrent, 0);
    const next = await put(1, {}, { public: { max_concurrent: 0 }, cup: {} });
    assert.deepEqual(next.body.ladders, { public: { max_concurrent: 0 } });
    assert.deepEqual((await put(2)).body.ladders, {});
    assert.deepEqual(api.live.boundsOf("cup"), NO_BOUNDS);
    assert.ok(api.arena.told.includes("ladders changed"));
  });

  it("take the place of what a ladder was made with, which holds again without them", async () => {
    const { api, token, make, call, put, preview } = await world();
    const own = { max_concurrent: 8, owner_concurrency: 2 };
    await make(own);
    const shown = async () => {
      const { body } = await call("GET");
      const { ladder } = (await ask(api, ["GET", "/api/admin/ladders/cup"], { token })).body;
      const { max_concurrent, owner_concurrency } = ladder as typeof own;
      assert.deepEqual({ max_concurrent, owner_concurrency }, own);
      assert.deepEqual(body.ladder_defaults, { cup: own });
      const capacity = body.capacity as { ladder_id: string; max_concurrent: number }[];
      const { max_concurrent: inEffect } = capacity.find((one) => one.ladder_id === "cup")!;
      return [body.ladders as Body, inEffect];
    };
    assert.deepEqual(await shown(), [{}, 8]);
    const set = { cup: { max_concurrent: 9 } };
    const change = { field: "max_concurrent", ladder_id: "cup", from: null, to: 9 };
    const { body } = await preview(0, {}, set);
    assert.deepEqual(body.changes, [{ ...change, applies: "at once" }]);
    assert.deepEqual((await put(0, {}, set)).body.history[0].changes, [change]);
    assert.deepEqual(await shown(), [set, 9]);
    api.arena.told.length = 0;
    const back = await put(1, { tick_s: 2 });
    const [, given] = back.body.history[0].changes as Body[];
    assert.deepEqual(given, { ...change, from: 9, to: null });
    assert.deepEqual(api.arena.told, ["ladders changed"]);
    assert.deepEqual(await shown(), [{}, 8]);
    assert.deepEqual((await put(2, {}, {})).body.history[0].changes.length, 1);
    assert.deepEqual(api.arena.told, ["ladders changed"], "no ladder changed any more");
  });

  it("keep what they say of a ladder when something else of it changes", async () => {
    const { api, token, make, call, put } = await world();
    await make();
    const bounds = { public: { owner_concurrency: 1 }, cup: { max_concurrent: 3 } };
    await put(0, {}, bounds);
    for (const id of ["public", "cup"]) {
      const url = `/api/admin/ladders/${id}/settings`;
      const changed = await ask(api, ["PUT", url], { token, payload: { description: "All." } });
      assert.equal(changed.told, "200");
    }
    assert.deepEqual((await call("GET")).body.ladders, bounds);
  });

  it("forget a ladder that is deleted: the next one of its name begins without", async () => {
    const { api, token, make, call, put } = await world();
    await make();
    const bound = { max_concurrent: 3 };
    await put(0, {}, { cup: bound, public: bound });
    const gone = await ask(api, ["DELETE", "/api/admin/ladders/cup"], { token });
    assert.equal(gone.told, "200");
    await make();
    const { body } = await call("GET");
    assert.deepEqual(body.ladders, { public: bound });
    assert.equal(body.capacity[1].max_concurrent, 320);
    assert.deepEqual((await api.store.settings.current()).bounds, {
      public: { maxConcurrent: 3, ownerConcurrency: null },
    });
  });

  it("are in force once somebody looks, when they were stored without an answer", async () => {
    const { api, call, put } = await world();
    const { change } = api.store.settings;
    const lost: typeof change = async (...values) => {
      await change(...values);
      throw new StoreError("unavailable", "the store is out of reach");
    };
    Object.assign(api.store.settings, { change: lost });
    assert.match((await put(0, { tick_s: 2 }, { public: { max_concurrent: 1 } })).told, /^503/);
    assert.equal(api.live.current().tick_s, 1);
    Object.assign(api.store.settings, { change });
    const { body } = await call("GET");
    assert.deepEqual([body.revision, body.effective.tick_s], [1, 2]);
    assert.deepEqual(body.ladders, { public: { max_concurrent: 1 } });
    assert.equal(body.capacity[0].max_concurrent, 1);
    assert.equal((await put(0, {})).told, "409 settings_conflict");
  });

  it("are an operator's: what an older build stored and this one refuses is left out", async () => {
    const { api, account, call } = await world();
    const [note] = await api.store.audit.list({ limit: 1 });
    const overrides = { tick_s: 2, turbo: 9, budget_s: 1e9 };
    const next = { from: 0, overrides, bounds: {}, changes: [], accountId: account.id };
    await api.store.settings.change(next, 50, { ...note!, id: api.newId() });
    const { body } = await call("GET");
    assert.deepEqual([body.overrides, body.effective.budget_s], [{ tick_s: 2 }, 300]);
  });
});

describe("presets", () => {
  it("keep what is changed now under a name, and go", async () => {
    const { api, call, put } = await world();
    await put(0, { tick_s: 2 });
    const save = (name: unknown, revision = 1) => call("POST", "/presets", { revision, name });
    const { told, body } = await save("Evening");
    assert.equal(told, "201");
    const { id, created, ...preset } = body;
    assert.deepEqual(preset, { name: "Evening", by: "hopper", overrides: { tick_s: 2 } });
    assert.equal(created, api.now().toISOString());
    assert.equal((await save("Late", 0)).told, "409 settings_conflict");
    for (const name of ["", " ", "a\nb", "x".repeat(61), 7, undefined])
      assert.equal((await save(name)).told, "400 invalid_settings", String(name));
    await put(1, {});
    assert.equal((await save("Evening", 2)).body.id, id);
    assert.deepEqual((await call("GET")).body.presets[0].overrides, {});
    assert.deepEqual((await call("DELETE", `/presets/${String(id)}`)).body, { deleted: id });
    assert.equal((await call("DELETE", `/presets/${String(id)}`)).told, "404");
    assert.equal((await call("DELETE", "/presets/x")).told, "404");
    const kinds = (await kindsIn(api)).filter((kind) => kind.startsWith("settings.preset"));
    assert.deepEqual(kinds.length, 3);
  });

  it("are at most fifty, of which one can still be replaced", async () => {
    const { call } = await world();
    const save = (name: string) => call("POST", "/presets", { revision: 0, name });
    for (let at = 0; at < 50; at += 1) assert.equal((await save(`set ${at}`)).told, "201");
    assert.equal((await save("more")).told, "409 preset_limit");
    assert.equal((await save("set 7")).told, "201");
  });
});

it("nobody but an admin reads or changes settings", async () => {
  const { api } = await world();
  const { token } = await addPerson(api, "eve");
  const key = "bout_key_nobody";
  for (const [credential, told] of [
    [token, "403 not_admin"],
    [key, "401 invalid_session"],
    [undefined, "401 admin_required"],
  ] as const)
    assert.equal(
      (await ask(api, ["GET", "/api/admin/settings"], { token: credential })).told,
      told,
    );
});
