// How far a new bot has come on its way to a rank.

import type { Bot } from "#core/resources/bot.ts";
import type { Status } from "#core/resources/ladder.ts";
import { STATUS_WORDS } from "#site/look/status-words.ts";

import { isPlayed } from "./practice.ts";
import type { Practising } from "./practice.ts";

export const STAGES = ["connected", "queued", "practised", "played", "ranked"] as const;
export type ArrivalStage = (typeof STAGES)[number];

/** What everybody can see of it. */
export type NewBotProgress = {
  id: string;
  online: boolean;
  state: Status["online"][number]["state"];
  /** The match that it fights now. */
  matchId: string | null;
  /** Null before it has queued with a version. */
  version: string | null;
  /** Rated games of that version. */
  games: number;
  needed: number;
  status: Bot["status"];
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
  return {
    id: bot.id,
    online: bot.online,
    state: session?.state ?? "idle",
    matchId: session?.match_id ?? null,
    version: label,
    games: version === undefined ? 0 : version.wins + version.losses + version.draws,
    needed: bot.qualifying_games,
    status: bot.status,
    rank: version?.rank ?? null,
    newest,
  };
}

/** The stages behind it, in their order. Rated games may come without practice. */
export function reachedStages(
  { online, version, newest, rank }: NewBotProgress,
  practising: Practising | null,
): ArrivalStage[] {
  const hasPlayed = newest !== null || rank !== null;
  const hasQueued = version !== null || hasPlayed;
  const isReached: Record<ArrivalStage, boolean> = {
    connected: online || hasQueued,
    queued: hasQueued,
    practised: isPlayed(practising),
    played: hasPlayed,
    ranked: rank !== null,
  };
  return STAGES.filter((stage) => isReached[stage]);
}

/** Whether the game that it fights is practice. Both are asked for apart, so one may be ahead. */
function isPractising({ matchId }: NewBotProgress, practising: Practising | null): boolean {
  if (practising === null) return false;
  if ("matchId" in practising) return practising.at === "playing" || practising.matchId === matchId;
  return practising.at === "waiting" && matchId !== null;
}

/** Where it stands, in a few words. */
export function progressWords(progress: NewBotProgress, practising: Practising | null): string {
  const { online, state, version, newest, games, needed, rank, status } = progress;
  if (status !== "active") return `It is ${STATUS_WORDS[status].badge}`;
  if (!online)
    return reachedStages(progress, practising).length === 0 ? "Not connected yet" : "Disconnected";
  if (newest === null && isPractising(progress, practising)) return "In its practice game";
  if (rank !== null) return `Rank ${rank}`;
  if (newest !== null) {
    const counted = `${Math.min(games, needed)} of ${needed} games`;
    return version === null ? counted : `${counted} with ${version}`;
  }
  if (state === "playing") return "In its first rated game";
  return version === null ? "Connected" : "Queued";
}

/** What happens next, or what to do about it. */
export function nextWords(progress: NewBotProgress, practising: Practising | null): string {
  const { online, state, version, newest, rank, status } = progress;
  if (status === "retired") return STATUS_WORDS.retired.sentence;
  if (status !== "active") return `${STATUS_WORDS[status].sentence} /account tells its owner why.`;
  if (!online)
    return reachedStages(progress, practising).length === 0
      ? "Start it with the commands above. This page notices by itself."
      : "Is the program still running? What it printed last says why the connection ended.";
  if (rank !== null)
    return "It is in the standings. Improve it, and queue with a new version label.";
  if (newest !== null) return "It has a rank as soon as its version has played enough rated games.";
  if (isPractising(progress, practising))
    return "It counts for nothing. The report of it comes under “Practice first”.";
  if (state === "playing") return "The replay can be watched as soon as the game ends.";
  if (version === null) return "It has to send queue, with a version label, to be paired.";
  if (practising?.at === "waiting") return "Its practice game begins in a moment.";
  return "Bots are paired every two seconds. An opponent has to be waiting too.";
}
