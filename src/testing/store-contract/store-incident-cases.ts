import assert from "node:assert/strict";

import type { StoreCase } from "./store-case.ts";
import {
  ACCEPTED_OUTCOME,
  sampleDelivery,
  incidentEntry,
  queueSampleDeliveries,
  addRecipient,
  resolveEntry,
  sendNext,
} from "./store-mail-cases.ts";
import { sampleTime } from "./store-samples.ts";

export const incidentCases: StoreCase[] = [
  {
    name: "opens an incident of transactional email once, without stopping optional email",
    async run(store) {
      await addRecipient(store, 1);
      await queueSampleDeliveries(store, [sampleDelivery(1)]);
      const incident = { scope: "transactional", cause: "many_failures" } as const;
      assert.equal(await store.incidents.open(incident, incidentEntry(sampleTime(401))), true);
      assert.equal(await store.incidents.open(incident, incidentEntry(sampleTime(402))), false);
      const [listed, ...otherIncidents] = await store.incidents.list(9);
      assert.deepEqual(otherIncidents, []);
      assert.deepEqual(
        { ...listed, id: null },
        {
          ...incident,
          id: null,
          opened: sampleTime(401),
          resolved: null,
          resolvedBy: null,
          resolution: null,
        },
      );
      assert.equal(await sendNext(store, ACCEPTED_OUTCOME), null);
      const resolveIncident = resolveEntry(sampleTime(403));
      const resolved = await store.incidents.resolve("transactional", null, resolveIncident);
      assert.equal(resolved?.resolved, sampleTime(403));
      assert.equal(await store.incidents.open(incident, incidentEntry(sampleTime(404))), true);
      const entries = await store.audit.list({ kind: ["mail.incident"], limit: 9 });
      assert.equal(entries.length, 2);
    },
  },
];
