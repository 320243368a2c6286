// Accounts of people, and what becomes of them and their bots: claims, bans, and some leave for good.

import { HOUR } from "#base/units/time.ts";
import { DEFAULT_MAIL } from "#core/accounts/account.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Life } from "#testing/simulation/server-life.ts";
import { botFacts, notice } from "#testing/simulation/world.ts";
import type { World } from "#testing/simulation/world.ts";

import { entryNow, idNow, perform, planAt } from "./deed.ts";
import { joinLadder } from "./member.ts";
import type { AccountHolder, BotSpec } from "./population.ts";

/** In a whole run, however long. */
const MOST_BANS = 3;
const MOST_LEAVING = 1;
/** ms that a ban lasts. */
const BAN_LASTS = [300_000, 3_600_000] as const;
/** More bots than anybody has. */
const NO_LIMIT = 1000;
/** A former handle is kept for so long. */
const KEPT_MS = 30 * 86_400_000;

/** Stores the accounts of those who have one. */
export async function openAccounts(world: World): Promise<void> {
  const handles = new Set(world.population.flatMap(({ account }) => account ?? []));
  for (const handle of handles) {
    const record = recordOf(world, handle);
    world.accounts.set(handle, { id: record.id, handle, isBanned: false, hasLeft: false });
    await world.store.accounts.add(record, entryNow(world, "account.created"));
  }
}

function recordOf(world: World, handle: string): AccountRecord {
  return {
    id: idNow(world),
    issuer: "https://id.example/auth/v1",
    subject: handle,
    handle,
    role: "player",
    bannedAt: null,
    banReason: null,
    maxBots: null,
    email: null,
    emailConfirmedAt: null,
    emailSignsIn: false,
    mail: DEFAULT_MAIL,
    created: world.timeline.wall().toISOString(),
  };
}

/** Plans what accounts do, and what is done to them. */
export function gatherPeople(world: World): void {
  const { accounts, population, options } = world;
  const dice = world.dice.branch("people");
  const moment = () => Math.floor(dice.between(0.2, 0.9) * options.days * 24 * HOUR);
  for (const account of accounts.values()) {
    const own = population.filter((spec) => spec.account === account.handle);
    const ladders = new Set(own.flatMap((spec) => spec.ladders));
    for (const ladderId of ladders) joinLadder(world, account, ladderId);
  }
  for (const spec of population)
    if (spec.claimedAt !== null) planAt(world, spec.claimedAt, () => claim(world, spec));
  const all = [...accounts.values()];
  if (all.length === 0) return;
  for (let ban = dice.below(MOST_BANS + 1); ban > 0; ban -= 1) {
    const forMs = dice.between(...BAN_LASTS) * Math.min(1, options.days);
    const account = dice.pick(all);
    planAt(world, moment(), () => setBan(world, account, forMs));
  }
  for (let gone = dice.below(MOST_LEAVING + 1); gone > 0; gone -= 1) {
    const account = dice.pick(all);
    planAt(world, moment(), () => leave(world, account));
  }
}

function claim(world: World, spec: BotSpec): void {
  const bot = world.records.get(spec.name);
  const account = world.accounts.get(spec.account ?? "");
  if (bot === undefined || account === undefined || account.hasLeft) return;
  const entry = entryNow(world, "bot.claimed");
  perform(world, {
    about: [bot.id],
    act: async ({ store, arena }) => {
      const result = await store.bots.claim(bot.id, account.id, NO_LIMIT, entry);
      if (result === null || !("bot" in result)) return;
      arena.botChanged(result.bot);
      tellOwner(world, result.bot);
    },
  });
}

function tellOwner(world: World, bot: BotRecord): void {
  world.records.set(bot.name, bot);
  notice(world, { type: "owned", bot: botFacts(bot) });
}

function tellAccount(world: World, { id: accountId, hasLeft, isBanned }: AccountHolder): void {
  const state = hasLeft ? "left" : isBanned ? "banned" : "active";
  notice(world, { type: "account", accountId, state });
}

/** With null the ban is lifted. */
function setBan(world: World, account: AccountHolder, forMs: number | null): void {
  if (account.hasLeft) return;
  const isBan = forMs !== null;
  const entry = entryNow(world, isBan ? "account.ban" : "account.unban");
  const ban = isBan ? { at: entry.at, reason: null } : null;
  const deed = {
    about: [],
    act: async ({ store, arena }: Life) => {
      await store.accounts.setBan(account.id, ban, entry);
      for (const bot of await store.bots.ofOwners([account.id])) arena.botChanged(bot);
      account.isBanned = isBan;
      tellAccount(world, account);
    },
  };
  perform(world, deed, () => {
    if (forMs !== null) world.timeline.after(forMs, () => setBan(world, account, null));
  });
}

/** What was its own goes with it; bots that have played are retired. */
function leave(world: World, account: AccountHolder): void {
  const entry = entryNow(world, "account.left");
  const bots = [...world.records.values()].filter(({ ownerId }) => ownerId === account.id);
  const ladders = world.plans.map(({ ladder }) => ladder.id);
  account.hasLeft = true;
  perform(world, {
    about: [...bots.map(({ id }) => id), ...ladders.map((id) => `${id} ${account.id}`)],
    act: async (life) => {
      await remove(world, life, account, entry);
      // An earlier try may have been stored, without an answer.
      const kept = await life.store.bots.byIds(bots.map(({ id }) => id));
      for (const bot of kept) life.arena.botChanged(bot);
      for (const { id } of bots) if (!kept.some((bot) => bot.id === id)) life.arena.botDeleted(id);
      for (const bot of kept) tellOwner(world, bot);
      tellAccount(world, account);
      for (const ladderId of ladders)
        notice(world, { type: "member", ladderId, accountId: account.id, isActive: false });
    },
  });
}

async function remove(
  { timeline }: World,
  { store, arena }: Life,
  { id }: AccountHolder,
  entry: Parameters<Life["store"]["accounts"]["leave"]>[2],
): Promise<void> {
  const bots = await store.bots.ofOwners([id]);
  const holds = bots.map((bot) => ({ id: bot.id, letGo: arena.withhold(bot.id) }));
  const inMatch = holds.flatMap((hold) => (hold.letGo === null ? hold.id : []));
  const now = timeline.wall().getTime();
  const until = new Date(now + KEPT_MS).toISOString();
  const second = Math.floor(now / 1000);
  try {
    await store.accounts.leave(id, { at: entry.at, until, second, ban: null, inMatch }, entry);
  } finally {
    for (const { letGo } of holds) letGo?.();
  }
}
