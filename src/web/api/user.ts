import { Type } from "typebox";

import { isHandle } from "#core/accounts/account.ts";
import { ratingFigures } from "#core/ladder/version-record.ts";
import { UserSchema } from "#core/resources/user.ts";
import type { User } from "#core/resources/user.ts";
import type { LadderId } from "#core/words/ids.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { keepAnswers } from "#web/http/cached-answer.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { missing } from "#web/http/errors.ts";
import { answers, ladder, ladderOf } from "#web/http/query.ts";

import { identityOf } from "./identity.ts";
import type { StandingPlace, Standings } from "./leaderboard-rows.ts";

type UserDeps = ApiDeps & { standings: Standings };

/** A banned person has no profile, and a former handle leads to the person who had it. */
export function userRoutes(app: App, deps: UserDeps): void {
  const kept = keepAnswers(deps, "user", null);
  const schema = {
    params: Type.Object({ handle: Type.String({ description: "in any letter case" }) }),
    querystring: Type.Object({ ladder }),
    response: answers(Type.Unsafe<User | Buffer>(UserSchema)),
  };
  const about = "A person with their bots on one ladder";
  const config = { endpoint: "user", about, refuses: [404] as const, public: true };
  app.get("/api/users/:handle", { schema, config }, async ({ params, query }, reply) => {
    const ladderId = ladderOf(deps, query.ladder);
    if (ladderId === null) return missing(reply, "ladder");
    const account = await accountBehind(deps, params.handle);
    if (account === null) return missing(reply, "user");
    const subject = JSON.stringify([account.id, ladderId]);
    const page = await kept(reply, subject, async () => {
      const now = await accountBehind(deps, params.handle);
      return now && userPage(deps, now, ladderId);
    });
    return page ?? missing(reply, "user");
  });
}

async function accountBehind(
  { store, clock, accounts }: ApiDeps,
  handle: string,
): Promise<AccountRecord | null> {
  if (accounts === null || !isHandle(handle)) return null;
  const found = await store.accounts.byHandle(handle, clock().toISOString());
  return found === null || found.account.bannedAt !== null ? null : found.account;
}

async function userPage(
  deps: UserDeps,
  { id, handle, created }: AccountRecord,
  ladderId: LadderId,
): Promise<User | null> {
  if (handle === null) return null;
  const bots = await deps.store.bots.ofOwners([id]);
  const places = await deps.standings(ladderId);
  const rows: User["bots"] = [];
  for (const bot of bots) {
    const place = places.find((one) => one.bot.id === bot.id);
    rows.push(await ownedBot(deps, bot, ladderId, place));
  }
  return { handle, created, ladder_id: ladderId, bots: rows };
}

const NO_FIGURES = { leaderboard_score: null, rating: null, rating_deviation: null };

async function ownedBot(
  { store, arena }: UserDeps,
  bot: BotRecord,
  ladderId: LadderId,
  place: StandingPlace | undefined,
): Promise<User["bots"][number]> {
  const entries = [...arena.board(ladderId).values()].filter((one) => one.botId === bot.id);
  const sum = (name: "wins" | "losses" | "draws") =>
    entries.reduce((total, entry) => total + entry[name], 0);
  const current = place?.version ?? (await store.versions.current(bot.id, ladderId));
  const rated = current === null ? undefined : arena.board(ladderId).get(current.id);
  const figures = current === null ? NO_FIGURES : ratingFigures(rated);
  return {
    ...identityOf(bot, arena.onlineIds().has(bot.id)),
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
