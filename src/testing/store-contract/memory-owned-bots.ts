import type { OwnerId } from "#core/ids/ids.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import { nameKey } from "#data/store/bot.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";

import { reserveName } from "./memory-accounts.ts";
import type { AccountMemory } from "./memory-accounts.ts";

type OwnershipMemory = AccountMemory & {
  bots: Map<string, BotRecord>;
  audit: Map<string, AuditEntry>;
};

export function countOf({ bots }: OwnershipMemory, owner: OwnerId): number {
  const countsTowardsLimit = ({ ownerId, status }: BotRecord) =>
    ownerId === owner && status !== "retired";
  return [...bots.values()].filter(countsTowardsLimit).length;
}

export function withOwnerStatus(
  { accounts }: OwnershipMemory,
  bot: BotRecord | undefined,
): BotRecord | null {
  const bannedAt = accounts.get(bot?.ownerId ?? "")?.bannedAt ?? null;
  return bot ? { ...bot, ownerBanned: bannedAt !== null } : null;
}

type BotOwnershipMethod = "claim" | "rename" | "setAvatar";

export function botOwnershipMethods(
  memory: OwnershipMemory,
): Pick<Store["bots"], BotOwnershipMethod> {
  return {
    claim: async (id, claimantId, limit, audit) => {
      const bot = memory.bots.get(id);
      if (bot === undefined) return null;
      if (bot.ownerId === claimantId) return { outcome: "own", bot: { ...bot } };
      const { handle = null } = memory.accounts.get(claimantId) ?? {};
      if (handle === null) return { outcome: "no_handle" };
      if (!bot.ownerId.startsWith("anon:")) return { outcome: "already_claimed" };
      if (bot.status === "retired") return { outcome: "retired" };
      if (bot.status !== "active") return { outcome: "moderated" };
      if (countOf(memory, claimantId) >= limit) return { outcome: "bot_limit" };
      Object.assign(bot, { owner: handle, ownerId: claimantId });
      recordAudit(memory, audit);
      return { outcome: "claimed", bot: { ...bot } };
    },
    rename: async (id, name, reservation, audit) => {
      const bot = memory.bots.get(id);
      if (bot === undefined) return null;
      const formerName = memory.formerNames.get(nameKey(name));
      const reservedBotId =
        formerName && formerName.until > reservation.at ? formerName.id : undefined;
      const nameHolder = botNamed(memory, name)?.id ?? reservedBotId ?? id;
      if (nameHolder !== id) return "name_taken";
      const newReservation = { ...reservation, name: bot.name, id };
      reserveName(memory.formerNames, nameKey(bot.name), nameKey(name), newReservation);
      bot.name = name;
      recordAudit(memory, audit);
      return withOwnerStatus(memory, bot);
    },
    setAvatar: async (id, avatar) => {
      Object.assign(memory.bots.get(id) ?? {}, { avatar });
      return withOwnerStatus(memory, memory.bots.get(id));
    },
  };
}

export function botNamed(
  { bots }: Pick<OwnershipMemory, "bots">,
  name: string,
): BotRecord | undefined {
  return bots.values().find((bot) => nameKey(bot.name) === nameKey(name));
}

export function recordAudit(
  { audit }: Pick<OwnershipMemory, "audit">,
  auditEntry: AuditEntry | undefined,
): void {
  if (auditEntry !== undefined && !audit.has(auditEntry.id))
    audit.set(auditEntry.id, structuredClone(auditEntry));
}
