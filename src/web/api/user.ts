import { Type } from "typebox";

import { isHandle } from "#core/accounts/account.ts";
import { UserSchema } from "#core/api/user.ts";
import type { User } from "#core/api/user.ts";
import type { LadderId } from "#core/ids/ids.ts";
import { toRatingStats } from "#core/ladder/version-record.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { refuseNotFound } from "#web/http/errors.ts";
import { responseCache } from "#web/http/response-cache.ts";
import { okResponses, ladder, resolveLadderId } from "#web/http/route-params.ts";

import { botIdentity } from "./bot-identity.ts";
import type { StandingsEntry, Standings } from "./standings-entries.ts";

type UserDeps = ApiDeps & { standings: Standings };

/**
 * Public profiles. Banned accounts have no profile. A former handle leads to the account that last
 * had it.
 */
export function userRoutes(app: App, deps: UserDeps): void {
  const cached = responseCache(deps, "user", null);
  const schema = {
    params: Type.Object({ handle: Type.String({ description: "case-insensitive" }) }),
    querystring: Type.Object({ ladder }),
    response: okResponses(Type.Unsafe<User | Buffer>(UserSchema)),
  };
  const summary = "A person with their bots on one ladder";
  const config = { endpoint: "user", summary, errorCodes: [404] as const, public: true };
  app.get("/api/users/:handle", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = resolveLadderId(deps, query.ladder);
    if (ladderId === null) return refuseNotFound(reply, "ladder");
    const account = await findVisibleAccount(deps, params.handle);
    if (account === null) return refuseNotFound(reply, "user");
    const cacheKey = JSON.stringify([account.id, ladderId]);
    const page = await cached(reply, cacheKey, async () => {
      const currentAccount = await findVisibleAccount(deps, params.handle);
      return currentAccount && userPage(deps, currentAccount, ladderId);
    });
    return page ?? refuseNotFound(reply, "user");
  });
}

async function findVisibleAccount(
  { store, clock, accounts }: ApiDeps,
  handle: string,
): Promise<AccountRecord | null> {
  if (accounts === null || !isHandle(handle)) return null;
  const lookup = await store.accounts.byHandle(handle, clock().toISOString());
  return lookup === null || lookup.account.bannedAt !== null ? null : lookup.account;
}

async function userPage(
  deps: UserDeps,
  { id, handle, created }: AccountRecord,
  ladderId: LadderId,
): Promise<User | null> {
  if (handle === null) return null;
  const bots = await deps.store.bots.listByOwners([id]);
  const places = await deps.standings(ladderId);
  const rows: User["bots"] = [];
  for (const bot of bots) {
    const place = places.find((item) => item.bot.id === bot.id);
    rows.push(await ownedBot(deps, bot, ladderId, place));
  }
  return { handle, created, ladder_id: ladderId, bots: rows };
}

const NO_RATING = { leaderboard_score: null, rating: null, rating_deviation: null };

async function ownedBot(
  { store, arena }: UserDeps,
  bot: BotRecord,
  ladderId: LadderId,
  place: StandingsEntry | undefined,
): Promise<User["bots"][number]> {
  const entries = [...arena.board(ladderId).values()].filter((item) => item.botId === bot.id);
  const sum = (name: "wins" | "losses" | "draws") =>
    entries.reduce((total, entry) => total + entry[name], 0);
  const current = place?.version ?? (await store.versions.current(bot.id, ladderId));
  const rated = current === null ? undefined : arena.board(ladderId).get(current.id);
  const figures = current === null ? NO_RATING : toRatingStats(rated);
  return {
    ...botIdentity(bot, arena.onlineIds().has(bot.id)),
    created: bot.created,
    avatar: bot.avatar,
    retired: bot.status === "retired",
    version: current?.label ?? null,
    rank: rated === undefined ? null : (place?.rank ?? null),
    ...figures,
    wins: sum("wins"),
    losses: sum("losses"),
    draws: sum("draws"),
  };
}
