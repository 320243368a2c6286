import { accountProgress } from "#core/events/account-progress.ts";
import type { BotEventProgress, AchievementProgress } from "#core/events/account-progress.ts";
import type { EarnedAward } from "#core/events/awards.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { SYSTEM_ACTOR } from "#core/ids/audit-kinds.ts";
import type { AccountId, BotId } from "#core/ids/ids.ts";
import { createDelivery } from "#core/mail/due-email.ts";
import { awardEmail } from "#core/mail/event-emails.ts";
import type { NewAward } from "#data/store/award.ts";
import type { Store } from "#data/store/store.ts";

export type GiveDeps = {
  store: Pick<Store, "accounts" | "awards" | "bots">;
  /** Whether awards trigger an email to the account. */
  hasMail: boolean;
  newId: () => string;
  /** UTC. */
  instant: () => string;
};

function awardFactsOf(
  event: EventDefinition,
  accountId: AccountId,
  progress: readonly AchievementProgress[],
): EarnedAward[] {
  return event.achievements.flatMap(({ id: achievementId }, at) => {
    const earnedAchievement = progress[at]?.earned ?? null;
    if (earnedAchievement === null) return [];
    const { botId, at: earnedAt, evidence } = earnedAchievement;
    return [{ accountId, achievementId, botId, earnedAt, evidence }];
  });
}

/**
 * Returns the achievements an account has earned, based on the progress of its bots. Pass the
 * oldest bot first.
 */
export const earnedAwards = (
  event: EventDefinition,
  accountId: AccountId,
  bots: readonly { botId: BotId; fold: BotEventProgress }[],
): EarnedAward[] => awardFactsOf(event, accountId, accountProgress(event, bots));

/** Stores awards and resolves with the new ones. */
export async function giveAwards(
  { store, hasMail, newId, instant }: GiveDeps,
  event: EventDefinition,
  facts: readonly EarnedAward[],
): Promise<EarnedAward[]> {
  if (facts.length === 0) return [];
  const botIds = new Set(facts.map(({ botId }) => botId));
  const bots = hasMail ? await store.bots.byIds([...botIds]) : [];
  const names = new Map(bots.map(({ id, name }) => [id, name]));
  const handles = await handlesByAccount(store, facts);
  const addedAwards = await store.awards.add(
    facts.map((fact) => {
      const at = instant();
      const dueEmail = hasMail
        ? awardEmail(event, fact, { bot: names.get(fact.botId) ?? null, at })
        : null;
      return {
        award: { ...fact, eventId: event.id },
        audit: {
          id: newId(),
          at,
          kind: "event.award",
          actor: SYSTEM_ACTOR,
          subject: { kind: "event", id: event.id, name: event.name },
          person: { id: fact.accountId, name: handles.get(fact.accountId) ?? null },
          reason: null,
          detail: auditDetailOf(event, fact),
        },
        ...(dueEmail !== null && { email: createDelivery(dueEmail, at, newId) }),
      };
    }),
  );
  const newKeys = new Set(addedAwards.map(awardKey));
  return facts.filter((fact) => newKeys.has(awardKey(fact)));
}

const awardKey = ({ accountId, achievementId }: Pick<NewAward, "accountId" | "achievementId">) =>
  `${accountId} ${achievementId}`;

async function handlesByAccount({ accounts }: GiveDeps["store"], facts: readonly EarnedAward[]) {
  const ids = [...new Set(facts.map(({ accountId }) => accountId))];
  const accountRecords = await Promise.all(ids.map((id) => accounts.byId(id)));
  return new Map(
    accountRecords.flatMap((account) => (account ? [[account.id, account.handle]] : [])),
  );
}

const auditDetailOf = (
  { achievements }: EventDefinition,
  { accountId, achievementId, botId, evidence }: EarnedAward,
) => ({
  account: accountId,
  achievement: achievementId,
  name: achievements.find(({ id }) => id === achievementId)?.name ?? null,
  bot: botId,
  match: evidence.at(-1) ?? null,
});
