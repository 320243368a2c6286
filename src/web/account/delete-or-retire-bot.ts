import type { HttpCode } from "#core/protocol/errors.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { botSubject, auditActor, newAuditEntry, auditOwner } from "#web/auth/audit-entry.ts";
import type { ApiDeps } from "#web/http/deps.ts";

type DeleteOrRetireResult = { outcome: "deleted" | "retired" } | { refused: HttpCode };

/**
 * Deletes a bot that has never played. With `retires`, retires a bot that has played; otherwise
 * refuses the request.
 */
export async function deleteOrRetireBot(
  deps: ApiDeps,
  caller: Caller,
  bot: BotRecord,
  { retires: canRetire }: { retires: boolean },
): Promise<DeleteOrRetireResult> {
  if (bot.status === "retired") return { outcome: "retired" };
  if (bot.status !== "active") return { refused: "bot_moderated" };
  const [playedBotId] = await deps.store.bots.filterPlayed([bot.id]);
  const result = playedBotId === undefined ? await deleteUnplayed(deps, caller, bot) : null;
  if (result !== null) return result;
  return canRetire ? retire(deps, caller, bot) : { refused: "bot_has_played" };
}

async function deleteUnplayed(
  deps: ApiDeps,
  caller: Caller,
  bot: BotRecord,
): Promise<DeleteOrRetireResult | null> {
  const release = deps.arena.holdFromPairing(bot.id);
  if (release === null) return { refused: "bot_in_match" };
  try {
    const auditEntry = newAuditEntry(
      deps,
      auditActor(caller),
      "bot.deleted",
      botSubject(bot),
      auditOwner(bot),
    );
    const outcome = await deps.store.bots.delete(bot.id, auditEntry);
    if (outcome === "played") return null;
    // The owner deleted the bot in a concurrent request.
    if (outcome === "unknown") return { refused: "no_such_bot" };
    deps.arena.onBotDeleted(bot.id);
    return { outcome: "deleted" };
  } finally {
    release();
  }
}

async function retire(
  deps: ApiDeps,
  caller: Caller,
  bot: BotRecord,
): Promise<DeleteOrRetireResult> {
  const auditEntry = newAuditEntry(
    deps,
    auditActor(caller),
    "bot.retired",
    botSubject(bot),
    auditOwner(bot),
  );
  const change = { from: ["active"], to: "retired", reason: null, at: auditEntry.at } as const;
  const statusChange = await deps.store.bots.setStatus(bot.id, change, auditEntry);
  if (statusChange === null) return { refused: "no_such_bot" };
  deps.arena.onBotChanged(statusChange.bot);
  return statusChange.bot.status === "retired"
    ? { outcome: "retired" }
    : { refused: "bot_moderated" };
}
