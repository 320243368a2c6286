import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { DEFAULT_LIMITS, LIMIT_TABLE, SETTING_NAMES } from "#core/limits/limits.ts";
import { NO_BOUNDS } from "#core/limits/settings.ts";
import { StoreError } from "#data/store/errors.ts";
import { signUpAccount, sendRequest } from "#testing/fixtures/account-api.ts";
import type { AccountApi } from "#testing/fixtures/account-api.ts";
import { ladderApi } from "#testing/fixtures/ladder-api.ts";

type Body = Record<string, unknown>;

async function world() {
  const { api, createLadder } = await ladderApi();
  const { token, account } = await signUpAccount(api, "root", "hopper");
  const call = (method: "GET" | "POST" | "PUT" | "DELETE", path = "", payload?: object) =>
    sendRequest(api, [method, `/api/admin/settings${path}`], {
      token,
      ...(payload && { payload }),
    });
  const snapshot = (revision: number, overrides: Body = {}, ladders: Body = {}) => ({
    revision,
    overrides,
    ladders,
  });
  const put = (revision: number, overrides?: Body, ladders?: Body) =>
    call("PUT", "", snapshot(revision, overrides, ladders));
  const preview = (revision: number, overrides?: Body, ladders?: Body) =>
    call("POST", "/preview", snapshot(revision, overrides, ladders));
  return { api, token, account, make: createLadder, call, put, preview };
}

const kindsIn = async ({ store }: AccountApi) =>
  (await store.audit.list({ limit: 99 })).map(({ kind }) => kind);

describe("settings", () => {
  it("are shown with their bounds before any change", async () => {
    const { call } = await world();
    const { told: outcome, body, headers } = await call("GET");
    assert.equal(outcome, "200");
    assert.equal(headers["cache-control"], "private, no-store");
    const { revision, overrides, ladders, history, presets } = body;
    assert.deepEqual(
      { revision, overrides, ladders, history, presets },
      { revision: 0, overrides: {}, ladders: {}, history: [], presets: [] },
    );
    const values = Object.fromEntries(SETTING_NAMES.map((name) => [name, DEFAULT_LIMITS[name]]));
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
    const registrationField = fields.find(({ name }) => name === "registration_open");
    assert.deepEqual(
      { ...registrationField, about: "" },
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

  it("change together, with old and new values in one audit entry", async () => {
    const { api, call, put, account } = await world();
    const { told: outcome, body } = await put(0, { tick_s: 2, signup_open: false });
    assert.equal(outcome, "200");
    assert.deepEqual([body.revision, body.overrides], [1, { tick_s: 2, signup_open: false }]);
    assert.deepEqual([body.effective.tick_s, body.bundled.tick_s], [2, 1]);
    assert.equal(api.liveSettings.current().tick_s, 2);
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
    const revertResponse = { revision: 1, overrides: {}, ladders: {}, reason: "Too slow." };
    assert.deepEqual((await call("PUT", "", revertResponse)).body.overrides, {});
    const [latest] = await api.store.audit.list({ limit: 1 });
    assert.deepEqual([entry?.reason, latest?.reason], [null, "Too slow."]);
    assert.deepEqual(api.liveSettings.current(), DEFAULT_LIMITS);
    assert.equal((await call("GET")).body.revision, 2);
  });

  it("T79 accept one of two concurrent changes from the same revision", async () => {
    const { api, put, preview } = await world();
    const outcome = await Promise.all([put(0, { tick_s: 2 }), put(0, { tick_s: 3 })]);
    assert.deepEqual(
      outcome.map((response) => response.told),
      ["200", "409 settings_conflict"],
    );
    assert.equal(api.liveSettings.current().tick_s, 2);
    for (const staleResponse of [await put(0), await put(7), await preview(0)])
      assert.equal(staleResponse.told, "409 settings_conflict");
    assert.equal(api.liveSettings.revision(), 1);
    assert.equal((await kindsIn(api)).filter((kind) => kind === "settings.changed").length, 1);
  });

  it("T55 reject unknown and invalid fields, report all errors, and change nothing", async () => {
    const { api, token, call, put } = await world();
    const invalidPayloads: [payload: object, ...said: RegExp[]][] = [
      [{}, /'revision' is required/, /'overrides' is required/, /'ladders' is required/],
      [{ revision: "0", overrides: [], ladders: 1 }, /'revision'/, /'overrides'/, /'ladders'/],
      [{ revision: 0, overrides: {}, ladders: {}, why: "x" }, /'why' is unknown/],
    ];
    const overrides: [values: Body, ...said: RegExp[]][] = [
      [{ turbo: 1, tick_s: 0 }, /'overrides.turbo' is unknown/, /'overrides.tick_s' must be/],
      [{ constructor: 1 }, /'overrides.constructor' is unknown/],
      [{ message_bytes: 1 }, /'overrides.message_bytes' is unknown/],
      [{ signup_open: 1 }, /'overrides.signup_open' must be true or false/],
      [{ max_concurrent: 1.5, budget_s: null }, /max_concurrent' must be a whole/, /budget_s'/],
    ];
    for (const [values, ...messages] of overrides)
      invalidPayloads.push([{ revision: 0, overrides: values, ladders: {} }, ...messages]);
    const ladders: [values: Body, ...said: RegExp[]][] = [
      [{ gone: {}, constructor: {} }, /'ladders.gone' is not a ladder; 'ladders.constructor'/],
      [{ public: { max_concurrent: -1, maps: 1 } }, /public.max_concurrent'/, /public.maps'/],
      [{ public: { owner_concurrency: 0 } }, /public.owner_concurrency' must be .* from 1/],
    ];
    for (const [values, ...messages] of ladders)
      invalidPayloads.push([{ revision: 0, overrides: {}, ladders: values }, ...messages]);
    for (const [payload, ...messages] of invalidPayloads)
      for (const [method, path] of [
        ["PUT", ""],
        ["POST", "/preview"],
      ] as const) {
        const { told: outcome, body } = await call(method, path, payload);
        assert.equal(outcome, "400 invalid_settings", JSON.stringify(payload));
        for (const text of messages) assert.match(String(body.error), text);
      }
    const response = await api.app.inject({
      method: "PUT",
      url: "/api/admin/settings",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      payload: '{"revision":0,"overrides":{"__proto__":{"tick_s":9}},"ladders":{}}',
    });
    assert.deepEqual([response.statusCode, response.json().code], [400, "invalid_settings"]);
    for (const payload of ["{", "[]", "null", "5"]) {
      const { statusCode, json } = await api.app.inject({
        method: "PUT",
        url: "/api/admin/settings",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        payload,
      });
      assert.deepEqual([statusCode, json().code], [400, "invalid_settings"], payload);
    }
    assert.equal((await put(0, { tick_s: 1 })).told, "200", "nothing changed");
    assert.equal(({} as Body).tick_s, undefined);
  });

  it("can be previewed without changing", async () => {
    const { api, preview, make } = await world();
    await make({ max_concurrent: 8 });
    api.trimState.removed = 7;
    const overrides = { tick_s: 2, replays_per_bot: 9, registration_open: true };
    const { told: outcome, body } = await preview(0, overrides, { cup: { max_concurrent: 3 } });
    assert.equal(outcome, "200");
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
      api.trimState.forecastRequests.map(
        (keepCurrent) => (keepCurrent as { replays_per_bot: number }).replays_per_bot,
      ),
      [9],
    );
    assert.deepEqual(
      [api.liveSettings.current(), api.liveSettings.revision()],
      [DEFAULT_LIMITS, 0],
    );
    assert.deepEqual(api.liveSettings.ladderBounds("cup"), NO_BOUNDS);
  });

  it("limit ladders including public: the lower bound applies, and omitted bounds are removed", async () => {
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
    assert.equal(api.liveSettings.ladderBounds("public").maxConcurrent, 0);
    const nextChange = await put(1, {}, { public: { max_concurrent: 0 }, cup: {} });
    assert.deepEqual(nextChange.body.ladders, { public: { max_concurrent: 0 } });
    assert.deepEqual((await put(2)).body.ladders, {});
    assert.deepEqual(api.liveSettings.ladderBounds("cup"), NO_BOUNDS);
    assert.ok(api.arena.calls.includes("ladders changed"));
  });

  it("override a ladder's own bounds, which apply again once the override is removed", async () => {
    const { api, token, make, call, put, preview } = await world();
    const ownBounds = { max_concurrent: 8, owner_concurrency: 2 };
    await make(ownBounds);
    const shownSettings = async () => {
      const { body } = await call("GET");
      const { ladder } = (await sendRequest(api, ["GET", "/api/admin/ladders/cup"], { token }))
        .body;
      const { max_concurrent, owner_concurrency } = ladder as typeof ownBounds;
      assert.deepEqual({ max_concurrent, owner_concurrency }, ownBounds);
      assert.deepEqual(body.ladder_defaults, { cup: ownBounds });
      const capacity = body.capacity as { ladder_id: string; max_concurrent: number }[];
      const { max_concurrent: effectiveBounds } = capacity.find(
        (item) => item.ladder_id === "cup",
      )!;
      return [body.ladders as Body, effectiveBounds];
    };
    assert.deepEqual(await shownSettings(), [{}, 8]);
    const ladderBounds = { cup: { max_concurrent: 9 } };
    const change = { field: "max_concurrent", ladder_id: "cup", from: null, to: 9 };
    const { body } = await preview(0, {}, ladderBounds);
    assert.deepEqual(body.changes, [{ ...change, applies: "at once" }]);
    assert.deepEqual((await put(0, {}, ladderBounds)).body.history[0].changes, [change]);
    assert.deepEqual(await shownSettings(), [ladderBounds, 9]);
    api.arena.calls.length = 0;
    const revertResponse = await put(1, { tick_s: 2 });
    const [, historyChange] = revertResponse.body.history[0].changes as Body[];
    assert.deepEqual(historyChange, { ...change, from: 9, to: null });
    assert.deepEqual(api.arena.calls, ["ladders changed"]);
    assert.deepEqual(await shownSettings(), [{}, 8]);
    assert.deepEqual((await put(2, {}, {})).body.history[0].changes.length, 1);
    assert.deepEqual(api.arena.calls, ["ladders changed"], "no ladder changed");
  });

  it("keep a ladder's bounds when its other fields change", async () => {
    const { api, token, make, call, put } = await world();
    await make();
    const bounds = { public: { owner_concurrency: 1 }, cup: { max_concurrent: 3 } };
    await put(0, {}, bounds);
    for (const id of ["public", "cup"]) {
      const url = `/api/admin/ladders/${id}/settings`;
      const changeResponse = await sendRequest(api, ["PUT", url], {
        token,
        payload: { description: "All." },
      });
      assert.equal(changeResponse.told, "200");
    }
    assert.deepEqual((await call("GET")).body.ladders, bounds);
  });

  it("drop a deleted ladder's bounds, so that a new ladder with the same name has no bounds", async () => {
    const { api, token, make, call, put } = await world();
    await make();
    const boundedIds = { max_concurrent: 3 };
    await put(0, {}, { cup: boundedIds, public: boundedIds });
    const deleteResponse = await sendRequest(api, ["DELETE", "/api/admin/ladders/cup"], { token });
    assert.equal(deleteResponse.told, "200");
    await make();
    const { body } = await call("GET");
    assert.deepEqual(body.ladders, { public: boundedIds });
    assert.equal(body.capacity[1].max_concurrent, 320);
    assert.deepEqual((await api.store.settings.current()).bounds, {
      public: { maxConcurrent: 3, ownerConcurrency: null },
    });
  });

  it("take effect on the next read if they were stored but the response was lost", async () => {
    const { api, call, put } = await world();
    const { change } = api.store.settings;
    const lostChange: typeof change = async (...values) => {
      await change(...values);
      throw new StoreError("unavailable", "store unreachable");
    };
    Object.assign(api.store.settings, { change: lostChange });
    assert.match((await put(0, { tick_s: 2 }, { public: { max_concurrent: 1 } })).told, /^503/);
    assert.equal(api.liveSettings.current().tick_s, 1);
    Object.assign(api.store.settings, { change });
    const { body } = await call("GET");
    assert.deepEqual([body.revision, body.effective.tick_s], [1, 2]);
    assert.deepEqual(body.ladders, { public: { max_concurrent: 1 } });
    assert.equal(body.capacity[0].max_concurrent, 1);
    assert.equal((await put(0, {})).told, "409 settings_conflict");
  });

  it("drop overrides from an older build that this build would reject", async () => {
    const { api, account, call } = await world();
    const [auditEntry] = await api.store.audit.list({ limit: 1 });
    const overrides = { tick_s: 2, turbo: 9, budget_s: 1e9 };
    const nextChange = { from: 0, overrides, bounds: {}, changes: [], accountId: account.id };
    await api.store.settings.change(nextChange, 50, { ...auditEntry!, id: api.newId() });
    const { body } = await call("GET");
    assert.deepEqual([body.overrides, body.effective.budget_s], [{ tick_s: 2 }, 300]);
  });
});

describe("presets", () => {
  it("can be saved under a name and deleted", async () => {
    const { api, call, put } = await world();
    await put(0, { tick_s: 2 });
    const save = (name: unknown, revision = 1) => call("POST", "/presets", { revision, name });
    const { told: outcome, body } = await save("Evening");
    assert.equal(outcome, "201");
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

  it("are limited to 50, but an existing preset can still be replaced", async () => {
    const { call } = await world();
    const save = (name: string) => call("POST", "/presets", { revision: 0, name });
    for (let at = 0; at < 50; at += 1) assert.equal((await save(`set ${at}`)).told, "201");
    assert.equal((await save("more")).told, "409 preset_limit");
    assert.equal((await save("set 7")).told, "201");
  });
});

it("settings can be read and changed by admins only", async () => {
  const { api } = await world();
  const { token } = await signUpAccount(api, "eve");
  const key = "bout_key_nobody";
  for (const [credential, outcome] of [
    [token, "403 not_admin"],
    [key, "401 invalid_session"],
    [undefined, "401 admin_required"],
  ] as const)
    assert.equal(
      (await sendRequest(api, ["GET", "/api/admin/settings"], { token: credential })).told,
      outcome,
    );
});
