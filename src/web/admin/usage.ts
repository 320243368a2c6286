// Who plays how much, next to the limits in force.

import { accountOf } from "#core/accounts/name.ts";
import { UsageSchema } from "#core/operator/usage.ts";
import type { Usage } from "#core/operator/usage.ts";
import { policyOf } from "#core/resources/api.ts";
import type { FloodReport } from "#live/arena/view.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { answers } from "#web/http/query.ts";

import { credentials, operatorHooks } from "./operator.ts";

export function usageRoutes(app: App, deps: ApiDeps): void {
  const schema = { response: answers(UsageSchema) };
  const about = "Who plays how much, next to the limits in force";
  const config = { endpoint: "admin_usage", about, credentials };
  app.get("/api/admin/usage", { schema, config, ...operatorHooks(deps) }, () => usage(deps));
}

type Played = { hour: number; day: number };

const mostFirst = <T extends Played>(one: T, other: T): number =>
  other.day - one.day || other.hour - one.hour;

async function usage({ store, arena, limits, admission }: ApiDeps): Promise<Usage> {
  const played = arena.usage();
  const known = await store.bots.byIds(played.bots.map(({ botId }) => botId));
  const byId = new Map(known.map((bot) => [bot.id, bot]));
  const byOwner = Map.groupBy(known, ({ ownerId }) => ownerId);
  return {
    limits: policyOf(limits(), admission !== null),
    capacity: arena.capacity(),
    // A bot that is gone is not listed; what it has played counts for its owner.
    bots: played.bots.toSorted(mostFirst).flatMap(({ botId, ...counts }) => {
      const bot = byId.get(botId);
      if (bot === undefined) return [];
      const { id, name, owner, house } = bot;
      return [{ id, name, owner, house, ...counts }];
    }),
    owners: played.owners.toSorted(mostFirst).flatMap(({ ownerId, ...counts }) => {
      const own = byOwner.get(ownerId) ?? [];
      const [first] = own;
      if (first === undefined) return [];
      const { owner } = first;
      return [{ owner, account_id: accountOf(ownerId), bots: own.length, ...counts }];
    }),
    floods: await floodsOf(store, arena.floods().bots),
  };
}

async function floodsOf(
  store: ApiDeps["store"],
  reports: readonly FloodReport[],
): Promise<Usage["floods"]> {
  const bots = await store.bots.byIds(reports.map(({ botId }) => botId));
  const byId = new Map(bots.map((bot) => [bot.id, bot]));
  const mostOften = reports.toSorted((one, other) => other.lastHour - one.lastHour);
  return mostOften.flatMap(({ botId, lastHour, suspendedUntil }) => {
    const bot = byId.get(botId);
    if (bot === undefined) return [];
    const { id, name, owner } = bot;
    return [{ id, name, owner, hour: lastHour, suspended_until: suspendedUntil }];
  });
}
