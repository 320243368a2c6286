import { HOUR_US } from "#base/util/time.ts";
import { DEFAULT_EMAIL_SETTINGS } from "#core/accounts/account.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { SimulatedServer } from "#testing/simulation/simulated-server.ts";
import { botFacts, emitNotice } from "#testing/simulation/world.ts";
import type { World } from "#testing/simulation/world.ts";

import { simulateMembership } from "./membership.ts";
import { createAuditEntry, createId, applyMutation, scheduleAt } from "./mutation.ts";
import type { AccountHolder, BotSpec } from "./population.ts";

/** Maximum per run, whatever its length. */
const MAX_BANS = 3;
const MAX_DEPARTURES = 1;
const BAN_DURATION_MS = [300_000, 3_600_000] as const;
/** A bot limit that no account reaches. */
const NO_LIMIT = 1000;
const HANDLE_RETENTION_MS = 30 * 86_400_000;

export async function createAccounts(world: World): Promise<void> {
  const handles = new Set(world.population.flatMap(({ account }) => account ?? []));
  for (const handle of handles) {
    const record = createAccountRecord(world, handle);
    world.accounts.set(handle, { id: record.id, handle, isBanned: false, hasLeft: false });
    await world.store.accounts.add(record, createAuditEntry(world, "account.created"));
  }
}

function createAccountRecord(world: World, handle: string): AccountRecord {
  return {
    id: createId(world),
    issuer: "https://id.example/auth/v1",
    subject: handle,
    handle,
    role: "player",
    bannedAt: null,
    banReason: null,
    maxBots: null,
    email: null,
    emailConfirmedAt: null,
    signsInWithEmail: false,
    mail: DEFAULT_EMAIL_SETTINGS,
    created: world.timeline.wall().toISOString(),
  };
}

export function scheduleAccountActions(world: World): void {
  const { accounts, population, options } = world;
  const dice = world.dice.branch("people");
  const drawTime = () => Math.floor(dice.between(0.2, 0.9) * options.days * 24 * HOUR_US);
  for (const account of accounts.values()) {
    const ownedBots = population.filter((spec) => spec.account === account.handle);
    const ladders = new Set(ownedBots.flatMap((spec) => spec.ladders));
    for (const ladderId of ladders) simulateMembership(world, account, ladderId);
  }
  for (const spec of population)
    if (spec.claimedAt !== null) scheduleAt(world, spec.claimedAt, () => claimBot(world, spec));
  const accountHolders = [...accounts.values()];
  if (accountHolders.length === 0) return;
  for (let ban = dice.below(MAX_BANS + 1); ban > 0; ban -= 1) {
    const durationMs = dice.between(...BAN_DURATION_MS) * Math.min(1, options.days);
    const account = dice.pick(accountHolders);
    scheduleAt(world, drawTime(), () => setBan(world, account, durationMs));
  }
  for (let departures = dice.below(MAX_DEPARTURES + 1); departures > 0; departures -= 1) {
    const account = dice.pick(accountHolders);
    scheduleAt(world, drawTime(), () => leave(world, account));
  }
}

function claimBot(world: World, spec: BotSpec): void {
  const bot = world.records.get(spec.name);
  const account = world.accounts.get(spec.account ?? "");
  if (bot === undefined || account === undefined || account.hasLeft) return;
  const auditEntry = createAuditEntry(world, "bot.claimed");
  applyMutation(world, {
    about: [bot.id],
    apply: async ({ store, arena }) => {
      const result = await store.bots.claim(bot.id, account.id, NO_LIMIT, auditEntry);
      if (result === null || !("bot" in result)) return;
      arena.onBotChanged(result.bot);
      emitOwnerChange(world, result.bot);
    },
  });
}

function emitOwnerChange(world: World, bot: BotRecord): void {
  world.records.set(bot.name, bot);
  emitNotice(world, { type: "owned", bot: botFacts(bot) });
}

function emitAccountState(world: World, { id: accountId, hasLeft, isBanned }: AccountHolder): void {
  const state = hasLeft ? "left" : isBanned ? "banned" : "active";
  emitNotice(world, { type: "account", accountId, state });
}

/** A null duration lifts the ban. */
function setBan(world: World, account: AccountHolder, durationMs: number | null): void {
  if (account.hasLeft) return;
  const isBan = durationMs !== null;
  const auditEntry = createAuditEntry(world, isBan ? "account.ban" : "account.unban");
  const ban = isBan ? { at: auditEntry.at, reason: null } : null;
  const mutation = {
    about: [],
    apply: async ({ store, arena }: SimulatedServer) => {
      await store.accounts.setBan(account.id, ban, auditEntry);
      for (const bot of await store.bots.listByOwners([account.id])) arena.onBotChanged(bot);
      account.isBanned = isBan;
      emitAccountState(world, account);
    },
  };
  applyMutation(world, mutation, () => {
    if (durationMs !== null) world.timeline.after(durationMs, () => setBan(world, account, null));
  });
}

/** Deletes the account and retires those of its bots that have played. */
function leave(world: World, account: AccountHolder): void {
  const auditEntry = createAuditEntry(world, "account.left");
  const bots = [...world.records.values()].filter(({ ownerId }) => ownerId === account.id);
  const ladders = world.ladderPlans.map(({ ladder }) => ladder.id);
  account.hasLeft = true;
  applyMutation(world, {
    about: [...bots.map(({ id }) => id), ...ladders.map((id) => `${id} ${account.id}`)],
    apply: async (server) => {
      await deleteAccount(world, server, account, auditEntry);
      // An earlier attempt may have been stored even though its response was lost.
      const storedBots = await server.store.bots.byIds(bots.map(({ id }) => id));
      for (const bot of storedBots) server.arena.onBotChanged(bot);
      for (const { id } of bots)
        if (!storedBots.some((bot) => bot.id === id)) server.arena.onBotDeleted(id);
      for (const bot of storedBots) emitOwnerChange(world, bot);
      emitAccountState(world, account);
      for (const ladderId of ladders)
        emitNotice(world, { type: "member", ladderId, accountId: account.id, isActive: false });
    },
  });
}

async function deleteAccount(
  { timeline }: World,
  { store, arena }: SimulatedServer,
  { id }: AccountHolder,
  auditEntry: Parameters<SimulatedServer["store"]["accounts"]["delete"]>[2],
): Promise<void> {
  const bots = await store.bots.listByOwners([id]);
  const pairingHolds = bots.map((bot) => ({ id: bot.id, letGo: arena.holdFromPairing(bot.id) }));
  const inMatch = pairingHolds.flatMap((hold) => (hold.letGo === null ? hold.id : []));
  const now = timeline.wall().getTime();
  const until = new Date(now + HANDLE_RETENTION_MS).toISOString();
  const second = Math.floor(now / 1000);
  try {
    await store.accounts.delete(
      id,
      { at: auditEntry.at, until, second, ban: null, inMatch },
      auditEntry,
    );
  } finally {
    for (const { letGo: release } of pairingHolds) release?.();
  }
}
