// Events and all that belongs to them: awards, flags and pictures.

import { join } from "node:path";

import type { Clock } from "#base/clock/clock.ts";
import { openEvents, servingRules } from "#core/events/events.ts";
import { openImages } from "#data/files/images.ts";
import type { Store } from "#data/store/store.ts";
import { openAwards } from "#live/awards/awards.ts";
import type { AwardDeps } from "#live/awards/awards.ts";
import { openSecrets } from "#outside/identity/secrets.ts";
import { openFlags } from "#server/configuration/event-flags.ts";
import type { FlagTexts } from "#server/configuration/event-flags.ts";

type EventDeps = Pick<AwardDeps, "newId" | "log" | "hasMail"> & {
  /** The data folder. */
  data: string;
  flagTexts: FlagTexts;
  store: Store;
  clock: Clock;
};

/** Rejects with a UsageError if two achievements would have one flag. */
export async function openEventParts(deps: EventDeps) {
  const { data, flagTexts, store, clock, newId, log, hasMail } = deps;
  const instant = () => clock.wall().toISOString();
  const events = openEvents(await store.events.list());
  const secrets = await openSecrets(join(data, "secrets.json"), () => clock.wall());
  const secret = secrets.derive("flags to try events out");
  const sources = { environment: process.env, texts: flagTexts, secret };
  const flags = openFlags(sources, events.all());
  const images = await openImages(join(data, "images"));
  await images.sweep(async () => events.all().flatMap(({ image }) => image?.hash ?? []));
  const after = (ms: number, call: () => void) => clock.after(ms, call);
  const awards = openAwards({ store, events, hasMail, newId, instant, after, log });
  return {
    events,
    flags,
    images,
    awards,
    servingRules: servingRules(events, instant),
    close: async () => {
      awards.stop();
      await images.close();
    },
  };
}
