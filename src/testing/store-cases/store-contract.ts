// What every implementation of the store must do: one list of cases that each of them passes.
import assert from "node:assert/strict";

import { SYSTEM } from "#core/words/audit.ts";
import type { AuditKind } from "#core/words/audit.ts";
import type { AuditEntry } from "#data/store/audit.ts";

import { accountCases } from "./store-account-cases.ts";
import { analyticsCases } from "./store-analytics-cases.ts";
import { announcementCases } from "./store-announcement-cases.ts";
import { botCases, versionCases } from "./store-bot-cases.ts";
import { countsOf, matchId, rowOf } from "./store-case.ts";
import type { Case } from "./store-case.ts";
import { eventStoreCases } from "./store-event-cases.ts";
import { grantCases } from "./store-grant-cases.ts";
import { identityCases } from "./store-identity-cases.ts";
import { incidentCases } from "./store-incident-cases.ts";
import { keptLadderCases } from "./store-kept-ladder-cases.ts";
import { ladderCases } from "./store-ladder-cases.ts";
import { leavingCases } from "./store-leaving-cases.ts";
import { mailCases } from "./store-mail-cases.ts";
import { countCases, matchCases } from "./store-match-cases.ts";
import { memberCases } from "./store-member-cases.ts";
import { modeCases } from "./store-mode-cases.ts";
import { newestTokenCases } from "./store-newest-token-cases.ts";
import { oneTimeCases } from "./store-one-time-cases.ts";
import { ownedCases } from "./store-owned-cases.ts";
import { pinCases } from "./store-pin-cases.ts";
import { progressCases } from "./store-progress-cases.ts";
import { readerCases } from "./store-reader-cases.ts";
import { recordCases } from "./store-record-cases.ts";
import { requestCases } from "./store-request-cases.ts";
import { addSamplePlayers, sampleAudit, sampleMatch, sampleTime } from "./store-samples.ts";
import { seasonCases } from "./store-season-cases.ts";
import { settingsCases } from "./store-settings-cases.ts";
import { upkeepCases } from "./store-upkeep-cases.ts";
import { versionListCases } from "./store-version-cases.ts";

/** An audit entry by the system that is about nothing in particular. */
const BARE: Partial<AuditEntry> = {
  kind: "bot.throttled",
  actor: SYSTEM,
  subject: null,
  reason: null,
  detail: null,
};

const lifeCases: Case[] = [
  {
    name: "keeps everything over a reopening",
    async run(store, reopen) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      await store.audit.add([sampleAudit(1)]);
      const opened = await reopen();
      assert.equal(await opened.database.schema(), 38);
      assert.deepEqual(await opened.matches.byId(matchId(1)), rowOf({}));
      assert.deepEqual(await opened.audit.list({ limit: 5 }), [sampleAudit(1)]);
      assert.equal((await opened.bots.byToken("hash-1"))?.bot.name, "Bot-1");
      assert.deepEqual(await countsOf(opened), [["arena", 1, 0, 0]]);
    },
  },
  {
    name: "stores every write that was made before closing",
    async run(store, reopen) {
      await addSamplePlayers(store, 2);
      const saves = Array.from({ length: 30 }, (_, n) => store.matches.save(sampleMatch(n)));
      const opened = await reopen();
      await Promise.all(saves);
      assert.equal((await opened.matches.ids()).length, 30);
    },
  },
  {
    name: "rejects calls after closing",
    async run(store) {
      await store.close();
      await assert.rejects(store.matches.save(sampleMatch(1)), { code: "unavailable" });
      await assert.rejects(store.matches.ids(), { code: "unavailable" });
    },
  },
  {
    name: "gives the audit newest first, by kind, and takes an entry once",
    async run(store) {
      const entries = [2, 1, 3].map((number) => sampleAudit(number));
      await store.audit.add(entries);
      await store.audit.add([sampleAudit(4, BARE), sampleAudit(1)]);
      const numbers = async (query: { kind?: AuditKind; limit: number }) =>
        (await store.audit.list(query)).map((entry) => entry.at);
      assert.deepEqual(await numbers({ limit: 2 }), [4, 3].map(sampleTime));
      assert.deepEqual(await numbers({ kind: "bot.banned", limit: 9 }), [3, 2, 1].map(sampleTime));
      assert.deepEqual(await store.audit.list({ kind: "bot.throttled", limit: 9 }), [
        sampleAudit(4, BARE),
      ]);
    },
  },
];

export const STORE_CASES: readonly Case[] = [
  ...botCases,
  ...versionCases,
  ...versionListCases,
  ...matchCases,
  ...countCases,
  ...modeCases,
  ...seasonCases,
  ...ladderCases,
  ...recordCases,
  ...upkeepCases,
  ...pinCases,
  ...settingsCases,
  ...announcementCases,
  ...analyticsCases,
  ...mailCases,
  ...incidentCases,
  ...readerCases,
  ...identityCases,
  ...oneTimeCases,
  ...newestTokenCases,
  ...accountCases,
  ...ownedCases,
  ...leavingCases,
  ...keptLadderCases,
  ...memberCases,
  ...grantCases,
  ...eventStoreCases,
  ...progressCases,
  ...requestCases,
  ...lifeCases,
];
