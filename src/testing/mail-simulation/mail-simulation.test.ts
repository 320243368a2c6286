import assert from "node:assert/strict";
import { it } from "node:test";

import type { Store } from "#data/store/store.ts";
import { overrideStore } from "#testing/store-contract/store-with-changes.ts";

import { simulateMail } from "./mail-simulation.ts";

const SHORT = { seed: 3, accounts: 12, days: 7 };
const SIZE = { seed: 11, accounts: 30, days: 16 };

it("every email that was due arrives once or has a recorded outcome", async (context) => {
  const { problems, counts } = await simulateMail(SIZE);
  context.diagnostic(JSON.stringify(counts));
  assert.deepEqual(problems, []);
  const kinds = ["welcome", "first_match", "achievement", "bot_unwell", "bot_well"] as const;
  const otherProblems = [
    "event_opens",
    "event_closes",
    "weekly_digest",
    "admin_warning",
    "announcement",
  ];
  for (const name of [...kinds, ...otherProblems, "unknown", "skipped"])
    assert.ok((counts[name] ?? 0) > 0, `no email ended as ${name}`);
  assert.ok(counts["lives"]! > 2, "the process was killed");
});

type BugPlant = (store: Store) => Store;

let suffixes = 0;

/** Each store bug must be reported as the violation that `found` matches. */
const PLANTED_BUGS: [name: string, found: RegExp, plant: BugPlant][] = [
  [
    "that forgets which emails were queued",
    /^twice: /,
    (store) =>
      overrideStore(store, {
        deliveries: {
          findMark: async () => null,
          queue: (rows, marks) =>
            store.deliveries.queue(
              rows.map((row) => ({ ...row, subject: `${row.subject} ${(suffixes += 1)}` })),
              marks,
            ),
        },
      }),
  ],
  [
    "that loses emails",
    /^never created: /,
    (store) =>
      overrideStore(store, {
        deliveries: { queue: (rows, marks) => store.deliveries.queue(rows.slice(1), marks) },
      }),
  ],
  [
    "that ignores email preferences",
    /^not wanted: /,
    (store) =>
      overrideStore(store, {
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
    "that resends emails which may have arrived",
    /^(?:twice|handed over|arrived)/,
    (store) =>
      overrideStore(store, {
        deliveries: {
          end: async (id, outcome, audit) => {
            const row = (await store.deliveries.list(9999)).find((firstRun) => firstRun.id === id);
            const incident = await store.deliveries.end(id, outcome, audit);
            if (outcome.state === "unknown" && row !== undefined && row.notice !== null) {
              const { notice, subject } = row;
              const secondRun = { ...row, notice, id: `${id}!`, subject: `${subject}!` };
              await store.deliveries.queue([secondRun], []);
            }
            return incident;
          },
        },
      }),
  ],
];

for (const [name, expectedProblem, plantBug] of PLANTED_BUGS)
  it(`detects a store ${name}`, async () => {
    const { problems } = await simulateMail(SHORT, plantBug);
    assert.ok(
      problems.some((fault) => expectedProblem.test(fault)),
      problems.slice(0, 5).join("\n"),
    );
  });
