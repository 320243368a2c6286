import { join } from "node:path";

import { openSecrets } from "#adapters/identity/secrets.ts";
import type { Clock } from "#base/clock/clock.ts";
import { createLiveEvents, opponentRequestRules } from "#core/events/live-events.ts";
import { openImages } from "#data/files/images.ts";
import type { Store } from "#data/store/store.ts";
import { openAwards } from "#live/awards/awards.ts";
import type { AwardDeps } from "#live/awards/awards.ts";
import { openEventFlags } from "#server/configuration/event-flags.ts";
import type { FlagTexts } from "#server/configuration/event-flags.ts";

type EventDeps = Pick<AwardDeps, "newId" | "log" | "hasMail"> & {
  data: string;
  flagTexts: FlagTexts;
  store: Store;
  clock: Clock;
};

/**
 * Opens events with their awards, flags and images. Rejects with a UsageError if two achievements
 * share a flag.
 */
export async function openEventParts(deps: EventDeps) {
  const { data, flagTexts, store, clock, newId, log, hasMail } = deps;
  const instant = () => clock.wall().toISOString();
  const events = createLiveEvents(await store.events.list());
  const secrets = await openSecrets(join(data, "secrets.json"), () => clock.wall());
  const secret = secrets.derive("flags to try events out");
  const sources = { environment: process.env, texts: flagTexts, secret };
  const flags = openEventFlags(sources, events.list());
  const images = await openImages(join(data, "images"));
  await images.sweep(async () => events.list().flatMap(({ image }) => image?.hash ?? []));
  const after = (ms: number, callback: () => void) => clock.after(ms, callback);
  const awards = openAwards({ store, events, hasMail, newId, instant, after, log });
  return {
    events,
    flags,
    images,
    awards,
    servingRules: opponentRequestRules(events, instant),
    close: async () => {
      awards.stop();
      await images.close();
    },
  };
}
