import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { SettingsView } from "#core/operator/settings.ts";
import { LIMITS, SETTING_NAMES } from "#core/words/limits.ts";
import { settingRow, settingsIn, unitOf } from "#core/words/settings.ts";

import {
  backTo,
  clashesOf,
  itemsOf,
  problemsIn,
  rebased,
  snapshotOf,
  toPreset,
  typed,
  unchangedText,
} from "./draft.ts";

const usual = settingsIn(LIMITS);

function viewOf(changes: Partial<SettingsView> = {}): SettingsView {
  const { overrides = {} } = changes;
  return {
    revision: 0,
    bundled: usual,
    deployment: usual,
    overrides,
    effective: { ...usual, ...overrides },
    fields: SETTING_NAMES.map((name) => {
      const row = settingRow(name);
      const bounds = row.type === "boolean" ? [null, null] : [row.least, row.most];
      const [least = null, most = null] = bounds;
      const { group, type, applies, about } = row;
      return { name, group, unit: unitOf(name), type, least, most, applies, about };
    }),
    ladders: {},
    ladder_defaults: {},
    capacity: [{ ladder_id: "public", running: 0, max_concurrent: 320, owner_concurrency: 40 }],
    history: [],
    presets: [],
    ...changes,
  };
}

const itemIn = (view: SettingsView, key: string) =>
  itemsOf(view).find((item) => item.key === key) ?? assert.fail(key);

describe("a draft of the settings", () => {
  it("has what differs from the settings, and nothing that was typed back", () => {
    const tick = itemIn(viewOf(), "tick_s");
    const draft = typed({}, tick, "2");
    assert.deepEqual(draft, { tick_s: "2" });
    assert.deepEqual(typed(draft, tick, " 1 "), {});
  });

  it("says which values cannot be", () => {
    const view = viewOf();
    const cases: [key: string, text: string, isValid: boolean][] = [
      ["tick_s", "0.5", true],
      ["tick_s", "", false],
      ["tick_s", "1e9", false],
      ["tick_s", "fast", false],
      ["hourly_quota", "1.5", false],
      ["hourly_quota", "0", false],
      ["public max_concurrent", "", true],
      ["public max_concurrent", "-1", false],
      ["signup_open", "no", true],
    ];
    for (const [key, text, isValid] of cases)
      assert.equal(problemsIn(itemsOf(view), { [key]: text }).length === 0, isValid, key + text);
  });

  it("makes all that is changed, and leaves out what is as the server was started", () => {
    const view = viewOf({
      revision: 4,
      overrides: { tick_s: 2, budget_s: 60 },
      ladders: { public: { max_concurrent: 5, owner_concurrency: 2 } },
    });
    const draft = {
      tick_s: "1",
      signup_open: "no",
      "public max_concurrent": "",
      "public owner_concurrency": "3",
    };
    assert.deepEqual(snapshotOf(view, draft), {
      revision: 4,
      overrides: { budget_s: 60, signup_open: false },
      ladders: { public: { owner_concurrency: 3 } },
    });
    const unbound = { "public max_concurrent": "", "public owner_concurrency": "" };
    assert.deepEqual(snapshotOf(view, unbound).ladders, {});
  });

  it("has what a ladder was made with as its usual value, and typing that is a change", () => {
    const view = viewOf({ ladder_defaults: { public: { max_concurrent: 8 } } });
    const item = itemIn(view, "public max_concurrent");
    assert.deepEqual([item.now, item.usual, unchangedText(item)], [null, 8, ""]);
    assert.equal(unchangedText(itemIn(view, "tick_s")), "1");
    assert.deepEqual(snapshotOf(view, typed({}, item, "8")).ladders, {
      public: { max_concurrent: 8 },
    });
    assert.deepEqual(snapshotOf(view, {}).ladders, {});
  });

  it("goes back to a revision by undoing the later ones", () => {
    const change = (field: string, from: number | null, to: number | null, ladder?: string) => ({
      field,
      ladder_id: ladder ?? null,
      from,
      to,
    });
    const revision = (number: number, ...changes: ReturnType<typeof change>[]) => ({
      revision: number,
      at: "2026-01-01T00:00:00.000Z",
      by: null,
      changes,
    });
    const view = viewOf({
      revision: 3,
      overrides: { tick_s: 4 },
      ladders: { public: { max_concurrent: 7 } },
      history: [
        revision(3, change("tick_s", 3, 4), change("max_concurrent", null, 7, "public")),
        revision(2, change("tick_s", 2, 3), change("forgotten_s", 1, 2)),
        revision(1, change("tick_s", 1, 2)),
      ],
    });
    assert.deepEqual(backTo(view, 1), { tick_s: "2", "public max_concurrent": "" });
    assert.deepEqual(snapshotOf(view, backTo(view, 2)).overrides, { tick_s: 3 });
    assert.deepEqual(backTo(view, 3), {});
  });

  it("takes a preset whole, and leaves ladders as they are", () => {
    const view = viewOf({ overrides: { tick_s: 4 }, ladders: { public: { max_concurrent: 7 } } });
    assert.deepEqual(toPreset(view, { overrides: { budget_s: 60 } }), {
      tick_s: "1",
      budget_s: "60",
    });
  });

  it("stands on newer settings, and knows what both have changed", () => {
    const before = viewOf();
    const after = viewOf({ revision: 1, overrides: { tick_s: 3, budget_s: 60, startup_s: 5 } });
    const draft = { tick_s: "2", budget_s: "60", hourly_quota: "5", "gone max_concurrent": "1" };
    const clashes = clashesOf(before, after, draft).map(({ item, before: was, theirs, mine }) => [
      item.key,
      was,
      theirs,
      mine,
    ]);
    assert.deepEqual(clashes, [["tick_s", 1, 3, "2"]]);
    assert.deepEqual(rebased(after, draft), { tick_s: "2", hourly_quota: "5" });
    assert.deepEqual(snapshotOf(after, rebased(after, draft)), {
      revision: 1,
      overrides: { tick_s: 2, budget_s: 60, startup_s: 5, hourly_quota: 5 },
      ladders: {},
    });
  });
});
