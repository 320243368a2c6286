// How far a new bot has come on its way to a rank.

import type { Bot } from "#core/resources/bot.ts";
import type { Status } from "#core/resources/ladder.ts";

export const STAGES = ["connected", "queued", "played", "ranked"] as const;
export type ArrivalStage = (typeof STAGES)[number];

export type NewBotProgress = {
  /** The stages behind it, in their order. */
  reached: readonly ArrivalStage[];
  online: boolean;
  state: Status["online"][number]["state"];
  /** The match that it fights now. */
  matchId: string | null;
  /** Null before it has queued with a version. */
  version: string | null;
  /** Rated games of that version. */
  games: number;
  needed: number;
  rank: number | null;
  /** Its newest match that ended. */
  newest: string | null;
};

/** `status` is about this bot alone, on every ladder. */
export function progressOf(bot: Bot, status: Status): NewBotProgress {
  const session = status.online.find(({ id }) => id === bot.id);
  const label = bot.online_version ?? bot.current_version;
  const version = bot.versions.find((one) => one.label === label);
  const newest = bot.recent_matches[0]?.id ?? null;
  const found = {
    online: bot.online,
    state: session?.state ?? "idle",
    matchId: session?.match_id ?? null,
    version: label,
    games: version === undefined ? 0 : version.wins + version.losses + version.draws,
    needed: bot.qualifying_games,
    rank: version?.rank ?? null,
    newest,
  };
  return { ...found, reached: STAGES.slice(0, stagesOf(found)) };
}

type Found = Omit<NewBotProgress, "reached">;

function stagesOf({ online, version, newest, rank }: Found): number {
  if (rank !== null) return 4;
  if (newest !== null) return 3;
  if (version !== null) return 2;
  return online ? 1 : 0;
}

/** Where it stands, in a few words. */
export function progressWords(progress: NewBotProgress): string {
  const { online, state, version, newest, games, needed, rank } = progress;
  if (!online) return progress.reached.length === 0 ? "Not connected yet" : "Disconnected";
  if (rank !== null) return `Rank ${rank}`;
  if (newest !== null) {
    const counted = `${Math.min(games, needed)} of ${needed} games`;
    return version === null ? counted : `${counted} with ${version}`;
  }
  if (state === "playing") return "In its first game";
  return version === null ? "Connected" : "Queued";
}

/** What happens next, or what to do about it. */
export function nextWords(progress: NewBotProgress): string {
  const { online, state, version, newest, rank } = progress;
  if (!online)
    return progress.reached.length === 0
      ? "Start it with the commands above. This page notices by itself."
      : "Is the program still running? What it printed last says why the connection ended.";
  if (rank !== null)
    return "It is in the standings. Improve it, and queue with a new version label.";
  if (newest !== null) return "It has a rank as soon as its version has played enough rated games.";
  if (state === "playing") return "The replay can be watched as soon as the game ends.";
  if (version === null) return "It has to send queue, with a version label, to be paired.";
  return "Bots are paired every two seconds. An opponent has to be waiting too.";
}
