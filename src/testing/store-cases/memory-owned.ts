// Bots as their accounts change them, over plain maps.

import type { OwnerId } from "#core/words/ids.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { nameKey } from "#data/store/bot.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";

import { giveUp } from "./memory-accounts.ts";
import type { AccountFacts } from "./memory-accounts.ts";

type Facts = AccountFacts & { bots: Map<string, BotRecord>; audit: Map<string, AuditEntry> };

export function countOf({ bots }: Facts, owner: OwnerId): number {
  const counts = ({ ownerId, status }: BotRecord) => ownerId === owner && status !== "retired";
  return [...bots.values()].filter(counts).length;
}

/** A bot as it is read: with what its owner's account adds. */
export function shown({ accounts }: Facts, bot: BotRecord | undefined): BotRecord | null {
  const bannedAt = accounts.get(bot?.ownerId ?? "")?.bannedAt ?? null;
  return bot ? { ...bot, ownerBanned: bannedAt !== null } : null;
}

type OfAccounts = "claim" | "rename" | "setAvatar";

export function ownedBotMethods(facts: Facts): Pick<Store["bots"], OfAccounts> {
  return {
    claim: async (id, claimant, limit, audit) => {
      const bot = facts.bots.get(id);
      if (bot === undefined) return null;
      if (bot.ownerId === claimant) return { outcome: "own", bot: { ...bot } };
      const { handle = null } = facts.accounts.get(claimant) ?? {};
      if (handle === null) return { outcome: "no_handle" };
      if (!bot.ownerId.startsWith("anon:")) return { outcome: "already_claimed" };
      if (bot.status === "retired") return { outcome: "retired" };
      if (bot.status !== "active") return { outcome: "moderated" };
      if (countOf(facts, claimant) >= limit) return { outcome: "bot_limit" };
      Object.assign(bot, { owner: handle, ownerId: claimant });
      note(facts, audit);
      return { outcome: "claimed", bot: { ...bot } };
    },
    rename: async (id, name, formerly, audit) => {
      const bot = facts.bots.get(id);
      if (bot === undefined) return null;
      const former = facts.formerNames.get(nameKey(name));
      const kept = former && former.until > formerly.at ? former.id : undefined;
      const holder = botNamed(facts, name)?.id ?? kept ?? id;
      if (holder !== id) return "name_taken";
      const given = { ...formerly, name: bot.name, id };
      giveUp(facts.formerNames, nameKey(bot.name), nameKey(name), given);
      bot.name = name;
      note(facts, audit);
      return shown(facts, bot);
    },
    setAvatar: async (id, avatar) => {
      Object.assign(facts.bots.get(id) ?? {}, { avatar });
      return shown(facts, facts.bots.get(id));
    },
  };
}

export function botNamed({ bots }: Pick<Facts, "bots">, name: string): BotRecord | undefined {
  return bots.values().find((bot) => nameKey(bot.name) === nameKey(name));
}

export function note({ audit }: Pick<Facts, "audit">, entry: AuditEntry | undefined): void {
  if (entry !== undefined && !audit.has(entry.id)) audit.set(entry.id, structuredClone(entry));
}
