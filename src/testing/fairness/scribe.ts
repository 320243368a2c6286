// Records the raw data of a run's findings: games, boards and waits, in order.

import { SECOND } from "#base/units/time.ts";
import type { Ground } from "#core/pairing/types.ts";
import type { BotId, VersionId } from "#core/words/ids.ts";
import type { BoardLine } from "#live/matchmaker/matchmaker.ts";
import type { Watch } from "#testing/invariants/watch.ts";

type ScribedGame = {
  versionIds: readonly [VersionId, VersionId];
  botIds: readonly [BotId, BotId];
  map: string;
  /** The score of seat 0. */
  score: number;
  /** Our ratings after the game, in whole points. */
  after: readonly [number, number];
};

export type ScribedBoard = {
  hour: number;
  /** Games rated before it. */
  games: number;
  lines: readonly BoardLine[];
};

export type ScribedWait = { botId: BotId; seconds: number; estimated: number };

export type GameLog = {
  games: ScribedGame[];
  boards: ScribedBoard[];
  waits: ScribedWait[];
  /** Why stored matches were paired; empty for random pairing. */
  grounds: Partial<Record<Ground, number>>;
};

type Queued = { at: number; estimated: number };

export function openScribe(): { log: GameLog; watch: Watch } {
  const log: GameLog = { games: [], boards: [], waits: [], grounds: {} };
  const queued = new Map<string, Queued>();
  const watch: Watch = {
    name: "scribe",
    on: {
      told: ({ botId, about, text }, { at }) => {
        if (about !== "queued" || queued.has(botId)) return;
        const { estimated_wait_s: estimated } = JSON.parse(text) as { estimated_wait_s: number };
        queued.set(botId, { at, estimated });
      },
      left: ({ botId }) => void queued.delete(botId),
      started: ({ botIds }, { at }) => {
        for (const botId of botIds) noteWait(log, queued, botId, at);
      },
      rated: ({ game: { versionIds, botIds, map, score }, change: { after } }) =>
        void log.games.push({ versionIds, botIds, map, score, after }),
      stored: ({ match: { pairing } }) => {
        const { ground } = pairing as { ground?: Ground };
        if (ground !== undefined) log.grounds[ground] = (log.grounds[ground] ?? 0) + 1;
      },
      board: ({ page: { lines } }, { at }) =>
        void log.boards.push({ hour: at / 3.6e9, games: log.games.length, lines }),
    },
  };
  return { log, watch };
}

function noteWait({ waits }: GameLog, queued: Map<string, Queued>, botId: BotId, at: number): void {
  const since = queued.get(botId);
  queued.delete(botId);
  if (since === undefined) return;
  waits.push({ botId, seconds: (at - since.at) / SECOND, estimated: since.estimated });
}
