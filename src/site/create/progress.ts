import type { Bot } from "#core/api/bot.ts";
import type { ServerStatus } from "#core/api/ladder.ts";
import { BOT_STATUS_TEXTS } from "#site/ui/bot-status-texts.ts";

import { isPlayedPractice } from "./practice.ts";
import type { PracticeState } from "./practice.ts";

export const ARRIVAL_PHASES = ["connected", "queued", "practised", "played", "ranked"] as const;
export type ArrivalPhase = (typeof ARRIVAL_PHASES)[number];

/** Derived from public data. */
export type NewBotProgress = {
  id: string;
  online: boolean;
  state: ServerStatus["online"][number]["state"];
  matchId: string | null;
  /** Null until the bot queues with a version. */
  version: string | null;
  games: number;
  requiredGames: number;
  status: Bot["status"];
  rank: number | null;
  newestMatchId: string | null;
};

/** `status` must cover this bot on every ladder. */
export function newBotProgress(bot: Bot, status: ServerStatus): NewBotProgress {
  const session = status.online.find(({ id }) => id === bot.id);
  const label = bot.online_version ?? bot.current_version;
  const version = bot.versions.find((botVersion) => botVersion.label === label);
  const newestMatchId = bot.recent_matches[0]?.id ?? null;
  return {
    id: bot.id,
    online: bot.online,
    state: session?.state ?? "idle",
    matchId: session?.match_id ?? null,
    version: label,
    games: version === undefined ? 0 : version.wins + version.losses + version.draws,
    requiredGames: bot.qualifying_games,
    status: bot.status,
    rank: version?.rank ?? null,
    newestMatchId,
  };
}

/** Returns the completed stages in order. A bot can play rated games without practice. */
export function reachedPhases(
  { online, version, newestMatchId, rank }: NewBotProgress,
  practice: PracticeState | null,
): ArrivalPhase[] {
  const hasPlayed = newestMatchId !== null || rank !== null;
  const hasQueued = version !== null || hasPlayed;
  const reachedByPhase: Record<ArrivalPhase, boolean> = {
    connected: online || hasQueued,
    queued: hasQueued,
    practised: isPlayedPractice(practice),
    played: hasPlayed,
    ranked: rank !== null,
  };
  return ARRIVAL_PHASES.filter((phase) => reachedByPhase[phase]);
}

/**
 * Returns whether the current match is practice. Match and practice are polled separately, so
 * either can be newer.
 */
function isInPracticeMatch({ matchId }: NewBotProgress, practice: PracticeState | null): boolean {
  if (practice === null) return false;
  if ("matchId" in practice) return practice.at === "playing" || practice.matchId === matchId;
  return practice.at === "waiting" && matchId !== null;
}

export function describeProgress(progress: NewBotProgress, practice: PracticeState | null): string {
  const { online, state, version, newestMatchId, games, requiredGames, rank, status } = progress;
  if (status !== "active") return `Bot is ${BOT_STATUS_TEXTS[status].badge}`;
  if (!online)
    return reachedPhases(progress, practice).length === 0 ? "Not connected yet" : "Disconnected";
  if (newestMatchId === null && isInPracticeMatch(progress, practice)) return "In a practice game";
  if (rank !== null) return `Rank ${rank}`;
  if (newestMatchId !== null) {
    const countText = `${Math.min(games, requiredGames)} of ${requiredGames} games`;
    return version === null ? countText : `${countText} with ${version}`;
  }
  if (state === "playing") return "In its first rated game";
  return version === null ? "Connected" : "Queued";
}

export function describeNextStep(progress: NewBotProgress, practice: PracticeState | null): string {
  const { online, state, version, newestMatchId, rank, status } = progress;
  if (status === "retired") return BOT_STATUS_TEXTS.retired.sentence;
  if (status !== "active")
    return `${BOT_STATUS_TEXTS[status].sentence} The owner can see why at /account.`;
  if (!online)
    return reachedPhases(progress, practice).length === 0
      ? "Start it with the commands above. This page updates automatically."
      : "Is the program still running? Its last output says why the connection ended.";
  if (rank !== null)
    return "It's on the leaderboard. Improve it, and queue with a new version label.";
  if (newestMatchId !== null)
    return "It gets a rank once this version has played enough rated games.";
  if (isInPracticeMatch(progress, practice))
    return "This match is unrated. Its report will appear under “Practice first”.";
  if (state === "playing") return "You can watch the replay when the match ends.";
  if (version === null) return "To be paired, it must send a queue message with a version label.";
  if (practice?.at === "waiting") return "Its practice game starts in a moment.";
  return "Bots are paired every two seconds, if an opponent is waiting too.";
}
