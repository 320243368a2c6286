import assert from "node:assert/strict";
import { describe, it } from "node:test";

import type { SettingsView } from "#core/api/settings-schemas.ts";
import { DEFAULT_LIMITS, SETTING_NAMES } from "#core/limits/limits.ts";
import { settingRow, settingValues, limitUnit } from "#core/limits/settings.ts";

import {
  draftForRevision,
  findConflicts,
  settingItems,
  draftProblems,
  rebaseDraft,
  snapshotWithDraft,
  draftForPreset,
  withDraftText,
  defaultText,
} from "./draft.ts";

const defaultValue = settingValues(DEFAULT_LIMITS);

function viewOf(changes: Partial<SettingsView> = {}): SettingsView {
  const { overrides = {} } = changes;
  return {
    revision: 0,
    bundled: defaultValue,
    deployment: defaultValue,
    overrides,
    effective: { ...defaultValue, ...overrides },
    fields: SETTING_NAMES.map((name) => {
      const row = settingRow(name);
      const bounds = row.type === "boolean" ? [null, null] : [row.least, row.most];
      const [min = null, max = null] = bounds;
      const { group, type, applies, about } = row;
      return { name, group, unit: limitUnit(name), type, least: min, most: max, applies, about };
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
  settingItems(view).find((item) => item.key === key) ?? assert.fail(key);

describe("settings draft", () => {
  it("contains only values that differ from the current settings", () => {
    const tick = itemIn(viewOf(), "tick_s");
    const draft = withDraftText({}, tick, "2");
    assert.deepEqual(draft, { tick_s: "2" });
    assert.deepEqual(withDraftText(draft, tick, " 1 "), {});
  });

  it("reports invalid values", () => {
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
      assert.equal(
        draftProblems(settingItems(view), { [key]: text }).length === 0,
        isValid,
        key + text,
      );
  });

  it("omits values equal to the startup defaults from the snapshot", () => {
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
    assert.deepEqual(snapshotWithDraft(view, draft), {
      revision: 4,
      overrides: { budget_s: 60, signup_open: false },
      ladders: { public: { owner_concurrency: 3 } },
    });
    const unbound = { "public max_concurrent": "", "public owner_concurrency": "" };
    assert.deepEqual(snapshotWithDraft(view, unbound).ladders, {});
  });

  it("uses a ladder's own limit as its default and treats edits as changes", () => {
    const view = viewOf({ ladder_defaults: { public: { max_concurrent: 8 } } });
    const item = itemIn(view, "public max_concurrent");
    assert.deepEqual([item.currentValue, item.defaultValue, defaultText(item)], [null, 8, ""]);
    assert.equal(defaultText(itemIn(view, "tick_s")), "1");
    assert.deepEqual(snapshotWithDraft(view, withDraftText({}, item, "8")).ladders, {
      public: { max_concurrent: 8 },
    });
    assert.deepEqual(snapshotWithDraft(view, {}).ladders, {});
  });

  it("reverts to a revision by undoing later revisions", () => {
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
    assert.deepEqual(draftForRevision(view, 1), { tick_s: "2", "public max_concurrent": "" });
    assert.deepEqual(snapshotWithDraft(view, draftForRevision(view, 2)).overrides, { tick_s: 3 });
    assert.deepEqual(draftForRevision(view, 3), {});
  });

  it("applies a whole preset, excluding ladder limits", () => {
    const view = viewOf({ overrides: { tick_s: 4 }, ladders: { public: { max_concurrent: 7 } } });
    assert.deepEqual(draftForPreset(view, { overrides: { budget_s: 60 } }), {
      tick_s: "1",
      budget_s: "60",
    });
  });

  it("rebases onto newer settings and lists conflicts", () => {
    const previousView = viewOf();
    const after = viewOf({ revision: 1, overrides: { tick_s: 3, budget_s: 60, startup_s: 5 } });
    const draft = { tick_s: "2", budget_s: "60", hourly_quota: "5", "gone max_concurrent": "1" };
    const clashes = findConflicts(previousView, after, draft).map(
      ({ item, previousValue: was, theirValue, draftText }) => [
        item.key,
        was,
        theirValue,
        draftText,
      ],
    );
    assert.deepEqual(clashes, [["tick_s", 1, 3, "2"]]);
    assert.deepEqual(rebaseDraft(after, draft), { tick_s: "2", hourly_quota: "5" });
    assert.deepEqual(snapshotWithDraft(after, rebaseDraft(after, draft)), {
      revision: 1,
      overrides: { tick_s: 2, budget_s: 60, startup_s: 5, hourly_quota: 5 },
      ladders: {},
    });
  });
});
