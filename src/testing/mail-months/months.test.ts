// A tenth of three months of mail, and bugs that it must find.
import assert from "node:assert/strict";
import { it } from "node:test";

import type { Store } from "#data/store/store.ts";
import { changedStore } from "#testing/store-cases/changed-store.ts";

import { months } from "./months.ts";

/** For bugs that a few days show. */
const SHORT = { seed: 3, accounts: 12, days: 7 };
const SIZE = { seed: 11, accounts: 30, days: 16 };

it("each letter that was due arrives once, or is accounted for", async (context) => {
  const { faults, counts } = await months(SIZE);
  context.diagnostic(JSON.stringify(counts));
  assert.deepEqual(faults, []);
  const kinds = ["welcome", "first_match", "achievement", "bot_unwell", "bot_well"] as const;
  const others = ["event_opens", "event_closes", "weekly_digest", "admin_warning", "announcement"];
  for (const name of [...kinds, ...others, "unknown", "skipped"])
    assert.ok((counts[name] ?? 0) > 0, `no letter was ${name}`);
  assert.ok(counts["lives"]! > 2, "the process was killed");
});

type Plant = (store: Store) => Store;

let suffixes = 0;

/** What is wrong with the store, and what must be found. */
const PLANTS: [name: string, found: RegExp, plant: Plant][] = [
  [
    "that forgets what was told",
    /^twice: /,
    (store) =>
      changedStore(store, {
        deliveries: {
          mark: async () => null,
          queue: (rows, marks) =>
            store.deliveries.queue(
              rows.map((row) => ({ ...row, subject: `${row.subject} ${(suffixes += 1)}` })),
              marks,
            ),
        },
      }),
  ],
  [
    "that loses letters",
    /^never made: /,
    (store) =>
      changedStore(store, {
        deliveries: { queue: (rows, marks) => store.deliveries.queue(rows.slice(1), marks) },
      }),
  ],
  [
    "that asks nobody whether they want mail",
    /^not wanted: /,
    (store) =>
      changedStore(store, {
        deliveries: {
          begin: async (at, host) => {
            const begun = await store.deliveries.begin(at, host);
            if (begun === null || !("skipped" in begun)) return begun;
            const row = (await store.deliveries.list(9999)).find(({ id }) => id === begun.id);
            const account = await store.accounts.byId(row?.accountId ?? "");
            if (
              row === undefined ||
              row.notice === null ||
              account === null ||
              account.email === null
            )
              return begun;
            const { id, accountId, category, notice } = row;
            return { id, accountId, category, notice, to: account.email };
          },
        },
      }),
  ],
  [
    "that sends again what may have arrived",
    /^(?:twice|handed over|arrived)/,
    (store) =>
      changedStore(store, {
        deliveries: {
          end: async (id, outcome, audit) => {
            const row = (await store.deliveries.list(9999)).find((one) => one.id === id);
            const incident = await store.deliveries.end(id, outcome, audit);
            if (outcome.state === "unknown" && row !== undefined && row.notice !== null) {
              const { notice, subject } = row;
              const again = { ...row, notice, id: `${id}!`, subject: `${subject}!` };
              await store.deliveries.queue([again], []);
            }
            return incident;
          },
        },
      }),
  ],
];

for (const [name, found, plant] of PLANTS)
  it(`a store ${name} is found out`, async () => {
    const { faults } = await months(SHORT, plant);
    assert.ok(
      faults.some((fault) => found.test(fault)),
      faults.slice(0, 5).join("\n"),
    );
  });
