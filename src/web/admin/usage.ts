import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import { operationalPolicy } from "#core/api/api-index.ts";
import { UsageSchema } from "#core/api/usage.ts";
import type { UsageReport } from "#core/api/usage.ts";
import type { FloodReport } from "#live/arena/arena-view.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { okResponses } from "#web/http/route-params.ts";

import { credentials, operatorHooks } from "./admin-route.ts";

export function usageRoutes(app: App, deps: ApiDeps): void {
  const schema = { response: okResponses(UsageSchema) };
  const summary = "Matches started by each owner and bot, next to the limits in force";
  const config = { endpoint: "admin_usage", summary, credentials };
  app.get("/api/admin/usage", { schema, config, ...operatorHooks(deps) }, () => usage(deps));
}

type MatchCounts = { hour: number; day: number };

const byMatchCount = <T extends MatchCounts>(a: T, b: T): number =>
  b.day - a.day || b.hour - a.hour;

async function usage({ store, arena, limits, admission }: ApiDeps): Promise<UsageReport> {
  const arenaUsage = arena.usage();
  const bots = await store.bots.byIds(arenaUsage.bots.map(({ botId }) => botId));
  const byId = new Map(bots.map((bot) => [bot.id, bot]));
  const byOwner = Map.groupBy(bots, ({ ownerId }) => ownerId);
  return {
    limits: operationalPolicy(limits(), admission !== null),
    capacity: arena.capacity(),
    // A deleted bot isn't listed, but its matches count towards its owner.
    bots: arenaUsage.bots.toSorted(byMatchCount).flatMap(({ botId, ...counts }) => {
      const bot = byId.get(botId);
      if (bot === undefined) return [];
      const { id, name, owner, house } = bot;
      return [{ id, name, owner, house, ...counts }];
    }),
    owners: arenaUsage.owners.toSorted(byMatchCount).flatMap(({ ownerId, ...counts }) => {
      const ownerBots = byOwner.get(ownerId) ?? [];
      const [first] = ownerBots;
      if (first === undefined) return [];
      const { owner } = first;
      return [{ owner, account_id: accountIdOfOwner(ownerId), bots: ownerBots.length, ...counts }];
    }),
    floods: await floodedBots(store, arena.floodReport().bots),
  };
}

async function floodedBots(
  store: ApiDeps["store"],
  reports: readonly FloodReport[],
): Promise<UsageReport["floods"]> {
  const bots = await store.bots.byIds(reports.map(({ botId }) => botId));
  const byId = new Map(bots.map((bot) => [bot.id, bot]));
  const byFrequency = reports.toSorted((a, b) => b.lastHour - a.lastHour);
  return byFrequency.flatMap(({ botId, lastHour, suspendedUntil }) => {
    const bot = byId.get(botId);
    if (bot === undefined) return [];
    const { id, name, owner } = bot;
    return [{ id, name, owner, hour: lastHour, suspended_until: suspendedUntil }];
  });
}
