// The live ladders of a server.

import type { Clock } from "#base/clock/clock.ts";
import { accountOf } from "#core/accounts/name.ts";
import { hasSeasons, isTaken, ladderRefusal, PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition, Tie } from "#core/ladder/ladder.ts";
import type { Ladders, OwnedEntrant } from "#core/ladder/ladders.ts";
import type { AccountId, LadderId } from "#core/words/ids.ts";

/** An active membership. */
type Membership = { accountId: AccountId; ladderId: LadderId };

/** What was stored when the server started. */
export type Kept = { ladders?: readonly LadderDefinition[]; members?: readonly Membership[] };

/** Public and the other ladders, with the active members of each. */
export function openLadders(
  clock: Pick<Clock, "wall" | "now">,
  { ladders = [], members = [] }: Kept = {},
): Ladders {
  const known = new Map([PUBLIC, ...ladders].map((ladder) => [ladder.id, ladder]));
  const active = new Map<LadderId, Set<AccountId>>();
  /** When a membership ended last, in monotonic µs. */
  const ended = new Map<string, number>();
  const turnover = new Map<LadderId, number>();
  const byId = (id: LadderId) => known.get(id) ?? null;
  const turn = (id: LadderId) => void turnover.set(id, (turnover.get(id) ?? 0) + 1);

  function admit(accountId: AccountId, ladderId: LadderId): void {
    const members = active.getOrInsertComputed(ladderId, () => new Set());
    if (!members.has(accountId)) turn(ladderId);
    members.add(accountId);
  }

  function tieOf({ ownerId }: Pick<OwnedEntrant, "ownerId">, ladderId: LadderId): Tie {
    const accountId = accountOf(ownerId);
    if (accountId === null) return "anonymous";
    const isMember = hasSeasons(ladderId) || active.get(ladderId)?.has(accountId) === true;
    return isMember ? "member" : "stranger";
  }

  const instantNow = writtenOnce(clock);
  for (const { accountId, ladderId } of members) admit(accountId, ladderId);
  return {
    all: () => [...known.values()],
    byId,
    admits: (bot, ladderId) => {
      return ladderRefusal(byId(ladderId), instantNow(), bot, tieOf(bot, ladderId));
    },
    lists: (bot, ladderId) => {
      const ladder = byId(ladderId);
      return ladder !== null && (bot.house || isTaken(ladder, tieOf(bot, ladderId)));
    },
    turnover: (ladderId) => turnover.get(ladderId) ?? 0,
    hasLeftSince: ({ ownerId }, ladderId, since) =>
      (ended.get(`${ladderId} ${ownerId}`) ?? -Infinity) >= since,
    put: (ladder) => void known.set(ladder.id, ladder),
    drop: (ladderId) => void known.delete(ladderId),
    admit,
    dismiss: (accountId, ladderId) => {
      if (active.get(ladderId)?.delete(accountId) !== true) return false;
      ended.set(`${ladderId} ${accountId}`, clock.now());
      turn(ladderId);
      return true;
    },
  };
}

/** The instant of the clock: a wave asks for it some hundred times within one millisecond. */
function writtenOnce(clock: Pick<Clock, "wall">): () => string {
  let [at, text] = [NaN, ""];
  return () => {
    const wall = clock.wall();
    if (wall.getTime() === at) return text;
    [at, text] = [wall.getTime(), wall.toISOString()];
    return text;
  };
}
