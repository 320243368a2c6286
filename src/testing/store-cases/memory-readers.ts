// What letters are made from, over plain maps.

import { dayOf } from "#base/units/time.ts";
import { hasSeasons } from "#core/ladder/ladder.ts";
import { botSeats } from "#data/queries/mode.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { ReaderPage } from "#data/store/delivery.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { MemberRecord } from "#data/store/member.ts";
import type { Store } from "#data/store/store.ts";

type Facts = {
  accounts: Map<string, AccountRecord>;
  bots: Map<string, BotRecord>;
  matches: Map<string, FinishedMatch>;
  members: Map<string, MemberRecord>;
};

export function readerMethods(facts: Facts): Store["readers"] {
  const { accounts, bots, matches, members } = facts;
  const readable = () =>
    [...accounts.values()]
      .filter((one) => one.bannedAt === null && one.email !== null && one.emailConfirmedAt !== null)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, mail }) => structuredClone({ accountId: id, mail }));
  const ofOwner = (accountId: string) =>
    [...bots.values()]
      .filter(({ ownerId }) => ownerId === accountId)
      .toSorted((a, b) => (`${a.created} ${a.id}` < `${b.created} ${b.id}` ? -1 : 1));
  const gamesOf = (botId: string) =>
    [...matches.values()].filter(
      (match) => match.mode === "ranked" && botSeats(match).some((seat) => seat.botId === botId),
    );
  return {
    playing: async (days, page) =>
      pageOf(
        readable().flatMap((reader) => {
          const played = ofOwner(reader.accountId).filter(({ id }) =>
            gamesOf(id).some(({ ended, voided }) => !voided && days.includes(dayOf(ended))),
          );
          if (played.length === 0) return [];
          return [{ ...reader, bots: played.map(({ id, name }) => ({ id, name })) }];
        }),
        page,
      ),
    onLadder: async (ladderId, page) =>
      pageOf(
        readable().filter(({ accountId }) =>
          hasSeasons(ladderId)
            ? ofOwner(accountId).some(({ id }) =>
                gamesOf(id).some((match) => match.ladderId === ladderId && !match.voided),
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
      const games = gamesOf(botId).filter(
        ({ ended, rated }) => rated && ended >= from && ended < until,
      );
      const wins = games.filter(
        ({ winnerSeat, seats }) => winnerSeat !== null && seats[winnerSeat]?.botId === botId,
      ).length;
      const draws = games.filter(({ winnerSeat }) => winnerSeat === null).length;
      return { games: games.length, wins, draws, losses: games.length - wins - draws };
    },
    latestFault: async (ladderIds, since) => {
      const faults = [...matches.values()]
        .filter(({ mode, ladderId }) => mode === "ranked" && ladderIds.includes(ladderId))
        .filter(({ unratedReason, ended }) => unratedReason === "server_fault" && ended > since)
        .toSorted((a, b) => (`${a.ended} ${a.id}` < `${b.ended} ${b.id}` ? 1 : -1));
      const [latest] = faults;
      return latest === undefined ? null : { id: latest.id, ended: latest.ended };
    },
  };
}

const pageOf = <T extends { accountId: string }>(all: readonly T[], { after, most }: ReaderPage) =>
  all.filter(({ accountId }) => accountId > (after ?? "")).slice(0, most);
