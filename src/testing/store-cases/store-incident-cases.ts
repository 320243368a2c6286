// Store contract: incidents reported by the transactional mailer.
import assert from "node:assert/strict";

import type { Case } from "./store-case.ts";
import {
  ACCEPTED,
  delivery,
  incidentEntry,
  queue,
  reader,
  resolving,
  send,
} from "./store-mail-cases.ts";
import { sampleTime } from "./store-samples.ts";

export const incidentCases: Case[] = [
  {
    name: "opens an incident of transactional email once, which holds back no optional email",
    async run(store) {
      await reader(store, 1);
      await queue(store, [delivery(1)]);
      const incident = { scope: "transactional", cause: "many_failures" } as const;
      assert.equal(await store.incidents.open(incident, incidentEntry(sampleTime(401))), true);
      assert.equal(await store.incidents.open(incident, incidentEntry(sampleTime(402))), false);
      const [listed, ...others] = await store.incidents.list(9);
      assert.deepEqual(others, []);
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
      assert.equal(await send(store, ACCEPTED), null);
      const end = resolving(sampleTime(403));
      const resolved = await store.incidents.resolve("transactional", null, end);
      assert.equal(resolved?.resolved, sampleTime(403));
      assert.equal(await store.incidents.open(incident, incidentEntry(sampleTime(404))), true);
      const entries = await store.audit.list({ kind: ["mail.incident"], limit: 9 });
      assert.equal(entries.length, 2);
    },
  },
];
