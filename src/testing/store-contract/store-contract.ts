// Test cases that every store implementation must pass.
import assert from "node:assert/strict";

import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import type { AuditKind } from "#core/ids/audit-kinds.ts";
import type { AuditEntry } from "#data/store/audit.ts";

import { accountCases } from "./store-account-cases.ts";
import { accountDeletionCases } from "./store-account-deletion-cases.ts";
import { analyticsCases } from "./store-analytics-cases.ts";
import { announcementCases } from "./store-announcement-cases.ts";
import { botCases, versionCases } from "./store-bot-cases.ts";
import { competitionCounts, sampleMatchId, expectedRow } from "./store-case.ts";
import type { StoreCase } from "./store-case.ts";
import { ladderRecordCases } from "./store-custom-ladder-cases.ts";
import { eventStoreCases } from "./store-event-cases.ts";
import { grantCases } from "./store-grant-cases.ts";
import { identityCases } from "./store-identity-cases.ts";
import { incidentCases } from "./store-incident-cases.ts";
import { ladderCases } from "./store-ladder-cases.ts";
import { mailCases } from "./store-mail-cases.ts";
import { countCases, matchCases } from "./store-match-cases.ts";
import { memberCases } from "./store-member-cases.ts";
import { modeCases } from "./store-mode-cases.ts";
import { newestTokenCases } from "./store-newest-token-cases.ts";
import { oneTimeCases } from "./store-one-time-cases.ts";
import { ownershipCases } from "./store-owned-bot-cases.ts";
import { pinCases } from "./store-pin-cases.ts";
import { progressCases } from "./store-progress-cases.ts";
import { recipientCases } from "./store-recipient-cases.ts";
import { recordCases } from "./store-record-cases.ts";
import { requestCases } from "./store-request-cases.ts";
import { maintenanceCases } from "./store-retention-cases.ts";
import { addSamplePlayers, sampleAudit, sampleMatch, sampleTime } from "./store-samples.ts";
import { seasonCases } from "./store-season-cases.ts";
import { settingsCases } from "./store-settings-cases.ts";
import { versionListCases } from "./store-version-cases.ts";

const MINIMAL_ENTRY: Partial<AuditEntry> = {
  kind: "bot.throttled",
  actor: SYSTEM_ACTOR,
  subject: null,
  reason: null,
  detail: null,
};

const lifecycleCases: StoreCase[] = [
  {
    name: "keeps everything when reopened",
    async run(store, reopen) {
      await addSamplePlayers(store, 2);
      await store.matches.save(sampleMatch(1));
      await store.audit.add([sampleAudit(1)]);
      const opened = await reopen();
      assert.equal(await opened.database.schema(), 38);
      assert.deepEqual(await opened.matches.byId(sampleMatchId(1)), expectedRow({}));
      assert.deepEqual(await opened.audit.list({ limit: 5 }), [sampleAudit(1)]);
      assert.equal((await opened.bots.byToken("hash-1"))?.bot.name, "Bot-1");
      assert.deepEqual(await competitionCounts(opened), [["arena", 1, 0, 0]]);
    },
  },
  {
    name: "stores every write made before closing",
    async run(store, reopen) {
      await addSamplePlayers(store, 2);
      const saves = Array.from({ length: 30 }, (_, number) =>
        store.matches.save(sampleMatch(number)),
      );
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
    name: "returns audit entries newest first, by kind, and stores an entry once",
    async run(store) {
      const entries = [2, 1, 3].map((number) => sampleAudit(number));
      await store.audit.add(entries);
      await store.audit.add([sampleAudit(4, MINIMAL_ENTRY), sampleAudit(1)]);
      const numbers = async (query: { kind?: AuditKind; limit: number }) =>
        (await store.audit.list(query)).map((entry) => entry.at);
      assert.deepEqual(await numbers({ limit: 2 }), [4, 3].map(sampleTime));
      assert.deepEqual(await numbers({ kind: "bot.banned", limit: 9 }), [3, 2, 1].map(sampleTime));
      assert.deepEqual(await store.audit.list({ kind: "bot.throttled", limit: 9 }), [
        sampleAudit(4, MINIMAL_ENTRY),
      ]);
    },
  },
];

export const STORE_CASES: readonly StoreCase[] = [
  ...botCases,
  ...versionCases,
  ...versionListCases,
  ...matchCases,
  ...countCases,
  ...modeCases,
  ...seasonCases,
  ...ladderCases,
  ...recordCases,
  ...maintenanceCases,
  ...pinCases,
  ...settingsCases,
  ...announcementCases,
  ...analyticsCases,
  ...mailCases,
  ...incidentCases,
  ...recipientCases,
  ...identityCases,
  ...oneTimeCases,
  ...newestTokenCases,
  ...accountCases,
  ...ownershipCases,
  ...accountDeletionCases,
  ...ladderRecordCases,
  ...memberCases,
  ...grantCases,
  ...eventStoreCases,
  ...progressCases,
  ...requestCases,
  ...lifecycleCases,
];
