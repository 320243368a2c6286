import { utcDayOf } from "#base/util/time.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { botSeats } from "#data/queries/match-mode.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { RecipientPage } from "#data/store/delivery.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { MemberRecord } from "#data/store/member.ts";
import type { Store } from "#data/store/store.ts";

type RecipientMemory = {
  accounts: Map<string, AccountRecord>;
  bots: Map<string, BotRecord>;
  matches: Map<string, FinishedMatch>;
  members: Map<string, MemberRecord>;
};

export function recipientMethods(memory: RecipientMemory): Store["recipients"] {
  const { accounts, bots, matches, members } = memory;
  const eligibleRecipients = () =>
    [...accounts.values()]
      .filter(
        (account) =>
          account.bannedAt === null && account.email !== null && account.emailConfirmedAt !== null,
      )
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, mail }) => structuredClone({ accountId: id, mail }));
  const botsOfAccount = (accountId: string) =>
    [...bots.values()]
      .filter(({ ownerId }) => ownerId === accountId)
      .toSorted((a, b) => (`${a.created} ${a.id}` < `${b.created} ${b.id}` ? -1 : 1));
  const matchesOfBot = (botId: string) =>
    [...matches.values()].filter(
      (match) => match.mode === "ranked" && botSeats(match).some((seat) => seat.botId === botId),
    );
  return {
    withPlayedBots: async (days, page) =>
      pageOf(
        eligibleRecipients().flatMap((recipient) => {
          const played = botsOfAccount(recipient.accountId).filter(({ id }) =>
            matchesOfBot(id).some(({ ended, voided }) => !voided && days.includes(utcDayOf(ended))),
          );
          if (played.length === 0) return [];
          return [{ ...recipient, bots: played.map(({ id, name }) => ({ id, name })) }];
        }),
        page,
      ),
    onLadder: async (ladderId, page) =>
      pageOf(
        eligibleRecipients().filter(({ accountId }) =>
          hasSeasons(ladderId)
            ? botsOfAccount(accountId).some(({ id }) =>
                matchesOfBot(id).some((match) => match.ladderId === ladderId && !match.voided),
              )
            : members
                .values()
                .some(
                  (row) =>
                    row.accountId === accountId &&
                    row.ladderId === ladderId &&
                    row.state === "active" &&
                    row.until === null,
                ),
        ),
        page,
      ),
    results: async (botId, { from, until }) => {
      const games = matchesOfBot(botId).filter(
        ({ ended, rated }) => rated && ended >= from && ended < until,
      );
      const wins = games.filter(
        ({ winnerSeat, seats }) => winnerSeat !== null && seats[winnerSeat]?.botId === botId,
      ).length;
      const draws = games.filter(({ winnerSeat }) => winnerSeat === null).length;
      return { games: games.length, wins, draws, losses: games.length - wins - draws };
    },
    latestServerFault: async (ladderIds, since) => {
      const serverFaults = [...matches.values()]
        .filter(({ mode, ladderId }) => mode === "ranked" && ladderIds.includes(ladderId))
        .filter(({ unratedReason, ended }) => unratedReason === "server_fault" && ended > since)
        .toSorted((a, b) => (`${a.ended} ${a.id}` < `${b.ended} ${b.id}` ? 1 : -1));
      const [latestFault] = serverFaults;
      return latestFault === undefined ? null : { id: latestFault.id, ended: latestFault.ended };
    },
  };
}

const pageOf = <T extends { accountId: string }>(
  recipients: readonly T[],
  { after, limit }: RecipientPage,
) => recipients.filter(({ accountId }) => accountId > (after ?? "")).slice(0, limit);
