// The end of a bot: deleted if it never played, retired if it did.

import type { HttpCode } from "#core/protocol/errors.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { aboutBot, actorOf, entryOf, ownerOf } from "#web/auth/entry.ts";
import type { Caller } from "#web/auth/people.ts";
import type { ApiDeps } from "#web/http/deps.ts";

type Ending = { outcome: "deleted" | "retired" } | { refused: HttpCode };

/** With `retires`, a bot that has played is retired; without, it is refused. */
export async function endBot(
  deps: ApiDeps,
  caller: Caller,
  bot: BotRecord,
  { retires }: { retires: boolean },
): Promise<Ending> {
  if (bot.status === "retired") return { outcome: "retired" };
  if (bot.status !== "active") return { refused: "bot_moderated" };
  const [played] = await deps.store.bots.played([bot.id]);
  const ending = played === undefined ? await deleteUnplayed(deps, caller, bot) : null;
  if (ending !== null) return ending;
  return retires ? retire(deps, caller, bot) : { refused: "bot_has_played" };
}

/** Null when the bot has played after all. */
async function deleteUnplayed(
  deps: ApiDeps,
  caller: Caller,
  bot: BotRecord,
): Promise<Ending | null> {
  const letGo = deps.arena.withhold(bot.id);
  if (letGo === null) return { refused: "bot_in_match" };
  try {
    const note = entryOf(deps, actorOf(caller), "bot.deleted", aboutBot(bot), ownerOf(bot));
    const outcome = await deps.store.bots.delete(bot.id, note);
    if (outcome === "played") return null;
    // Another request of the owner was quicker.
    if (outcome === "unknown") return { refused: "no_such_bot" };
    deps.arena.botDeleted(bot.id);
    return { outcome: "deleted" };
  } finally {
    letGo();
  }
}

async function retire(deps: ApiDeps, caller: Caller, bot: BotRecord): Promise<Ending> {
  const note = entryOf(deps, actorOf(caller), "bot.retired", aboutBot(bot), ownerOf(bot));
  const change = { from: ["active"], to: "retired", reason: null, at: note.at } as const;
  const changed = await deps.store.bots.setStatus(bot.id, change, note);
  if (changed === null) return { refused: "no_such_bot" };
  deps.arena.botChanged(changed.bot);
  return changed.bot.status === "retired" ? { outcome: "retired" } : { refused: "bot_moderated" };
}
