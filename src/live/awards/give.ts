// Writes awards down: each once, with its entry in the audit.

import { accountProgress } from "#core/events/account-progress.ts";
import type { BotFold, CardProgress } from "#core/events/account-progress.ts";
import type { AwardFact } from "#core/events/awards.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { deliveryOf } from "#core/mail/due-letter.ts";
import { awardLetter } from "#core/mail/event-letters.ts";
import { SYSTEM } from "#core/words/audit.ts";
import type { AccountId, BotId } from "#core/words/ids.ts";
import type { NewAward } from "#data/store/award.ts";
import type { Store } from "#data/store/store.ts";

export type GiveDeps = {
  store: Pick<Store, "accounts" | "awards" | "bots">;
  /** Whether people get letters about what they have earned. */
  hasMail: boolean;
  /** A UUIDv7. */
  newId: () => string;
  /** The UTC instant. */
  instant: () => string;
};

/** What an account has earned. */
function factsOf(
  event: EventDefinition,
  accountId: AccountId,
  progress: readonly CardProgress[],
): AwardFact[] {
  return event.achievements.flatMap(({ id: achievementId }, at) => {
    const earned = progress[at]?.earned ?? null;
    if (earned === null) return [];
    const { botId, at: earnedAt, evidence } = earned;
    return [{ accountId, achievementId, botId, earnedAt, evidence }];
  });
}

/** The same from the folds of its bots, the oldest first. */
export const earnedBy = (
  event: EventDefinition,
  accountId: AccountId,
  bots: readonly { botId: BotId; fold: BotFold }[],
): AwardFact[] => factsOf(event, accountId, accountProgress(event, bots));

/** Resolves with those that were new. */
export async function giveAwards(
  { store, hasMail, newId, instant }: GiveDeps,
  event: EventDefinition,
  facts: readonly AwardFact[],
): Promise<AwardFact[]> {
  if (facts.length === 0) return [];
  const botIds = new Set(facts.map(({ botId }) => botId));
  const bots = hasMail ? await store.bots.byIds([...botIds]) : [];
  const names = new Map(bots.map(({ id, name }) => [id, name]));
  const accounts = await handlesOf(store, facts);
  const added = await store.awards.add(
    facts.map((fact) => {
      const at = instant();
      const due = hasMail
        ? awardLetter(event, fact, { bot: names.get(fact.botId) ?? null, at })
        : null;
      return {
        award: { ...fact, eventId: event.id },
        audit: {
          id: newId(),
          at,
          kind: "event.award",
          actor: SYSTEM,
          subject: { kind: "event", id: event.id, name: event.name },
          person: { id: fact.accountId, name: accounts.get(fact.accountId) ?? null },
          reason: null,
          detail: detailOf(event, fact),
        },
        ...(due !== null && { letter: deliveryOf(due, at, newId) }),
      };
    }),
  );
  const isNew = new Set(added.map(keyOf));
  return facts.filter((fact) => isNew.has(keyOf(fact)));
}

const keyOf = ({ accountId, achievementId }: Pick<NewAward, "accountId" | "achievementId">) =>
  `${accountId} ${achievementId}`;

async function handlesOf({ accounts }: GiveDeps["store"], facts: readonly AwardFact[]) {
  const ids = [...new Set(facts.map(({ accountId }) => accountId))];
  const found = await Promise.all(ids.map((id) => accounts.byId(id)));
  return new Map(found.flatMap((account) => (account ? [[account.id, account.handle]] : [])));
}

const detailOf = (
  { achievements }: EventDefinition,
  { accountId, achievementId, botId, evidence }: AwardFact,
) => ({
  account: accountId,
  achievement: achievementId,
  name: achievements.find(({ id }) => id === achievementId)?.name ?? null,
  bot: botId,
  match: evidence.at(-1) ?? null,
});
