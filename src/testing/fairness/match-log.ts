import { SECOND_US } from "#base/util/time.ts";
import type { BotId, VersionId } from "#core/ids/ids.ts";
import type { PairingGround } from "#core/pairing/types.ts";
import type { BoardLine } from "#live/matchmaker/matchmaker.ts";
import type { Watch } from "#testing/invariants/watch.ts";

type LoggedGame = {
  versionIds: readonly [VersionId, VersionId];
  botIds: readonly [BotId, BotId];
  map: string;
  /** Score of seat 0. */
  score: number;
  /** Bout ratings after the game, rounded to whole points. */
  after: readonly [number, number];
};

export type LoggedBoard = {
  hour: number;
  /** Number of games that had been rated before this board. */
  games: number;
  lines: readonly BoardLine[];
};

export type LoggedWait = { botId: BotId; seconds: number; estimated: number };

export type GameLog = {
  games: LoggedGame[];
  boards: LoggedBoard[];
  waits: LoggedWait[];
  /** Number of stored matches by pairing ground; empty for random pairing. */
  grounds: Partial<Record<PairingGround, number>>;
};

type QueueEntry = { at: number; estimated: number };

export function createGameLog(): { log: GameLog; watch: Watch } {
  const log: GameLog = { games: [], boards: [], waits: [], grounds: {} };
  const queueEntries = new Map<string, QueueEntry>();
  const watch: Watch = {
    name: "scribe",
    on: {
      told: ({ botId, about, text }, { at }) => {
        if (about !== "queued" || queueEntries.has(botId)) return;
        const { estimated_wait_s: estimated } = JSON.parse(text) as { estimated_wait_s: number };
        queueEntries.set(botId, { at, estimated });
      },
      left: ({ botId }) => void queueEntries.delete(botId),
      started: ({ botIds }, { at }) => {
        for (const botId of botIds) recordWait(log, queueEntries, botId, at);
      },
      rated: ({ game: { versionIds, botIds, map, score }, change: { after } }) =>
        void log.games.push({ versionIds, botIds, map, score, after }),
      stored: ({ match: { pairing } }) => {
        const { ground } = pairing as { ground?: PairingGround };
        if (ground !== undefined) log.grounds[ground] = (log.grounds[ground] ?? 0) + 1;
      },
      board: ({ page: { lines } }, { at }) =>
        void log.boards.push({ hour: at / 3.6e9, games: log.games.length, lines }),
    },
  };
  return { log, watch };
}

function recordWait(
  { waits }: GameLog,
  queueEntries: Map<string, QueueEntry>,
  botId: BotId,
  at: number,
): void {
  const queueEntry = queueEntries.get(botId);
  queueEntries.delete(botId);
  if (queueEntry === undefined) return;
  waits.push({ botId, seconds: (at - queueEntry.at) / SECOND_US, estimated: queueEntry.estimated });
}
