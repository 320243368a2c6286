import { useEffect, useState } from "preact/hooks";

import type { Match } from "#core/api/match.ts";
import type { StandingsPage } from "#core/api/standings-page.ts";
import type { User } from "#core/api/user.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { fetchJson, startPolling } from "#site/shell/poll.ts";
import { useOwnAccount } from "#site/sign-in/own-account.ts";
import { describeUnranked } from "#site/ui/bot-status-texts.ts";
import { botPath, matchResultPath, userPath } from "#site/ui/links.ts";

import { RankChange } from "./standings-table.tsx";

type OwnBot = {
  bot: User["bots"][number];
  /** Rank change since midnight UTC. Undefined without a rank. */
  rankChange: number | null | undefined;
  /** Newest first. */
  matches: readonly Match[];
};

const POLL_MS = 15_000;
const MAX_BOTS = 4;
const MATCHES_PER_BOT = 5;

/**
 * Returns the signed-in account's bots, best rank first. Returns null while signed out or not
 * loaded.
 */
export function useOwnBots(): readonly OwnBot[] | null {
  const handle = useOwnAccount()?.handle ?? null;
  const [bots, setBots] = useState<readonly OwnBot[] | null>(null);
  useEffect(() => {
    setBots(null);
    if (handle === null) return undefined;
    let isSubscribed = true;
    const load = () => loadOwnBots(handle);
    load().then(
      (loadedBots) => isSubscribed && setBots(loadedBots),
      () => {},
    );
    const stop = startPolling({ load, intervalMs: POLL_MS, onData: setBots, onError: () => {} });
    return () => {
      isSubscribed = false;
      stop();
    };
  }, [handle]);
  return bots;
}

async function loadOwnBots(handle: string): Promise<OwnBot[]> {
  const [user, standings] = await Promise.all([
    fetchJson<User>(`/api/users/${handle}`),
    fetchJson<StandingsPage>(`/api/standings?owner=${handle}`),
  ]);
  const bots = user.value.bots.filter(({ retired }) => !retired).toSorted(compareOwnBotRank);
  return Promise.all(
    bots.slice(0, MAX_BOTS).map(async (bot) => {
      const path = `/api/matches?bot=${encodeURIComponent(bot.name)}&limit=${MATCHES_PER_BOT}`;
      const { value: matches } = await fetchJson<Match[]>(path);
      const row = standings.value.rows.find(({ name }) => name === bot.name);
      return { bot, rankChange: row?.moved, matches };
    }),
  );
}

const compareOwnBotRank = (a: OwnBot["bot"], b: OwnBot["bot"]): number =>
  (a.rank ?? Number.MAX_SAFE_INTEGER) - (b.rank ?? Number.MAX_SAFE_INTEGER);

type OwnBotsProps = { rows: readonly OwnBot[]; qualifying_games: number };

/** Replaces the home page introduction for people who have bots. */
export function OwnBots({ rows, qualifying_games: requiredGames }: OwnBotsProps) {
  return (
    <div class="own-panel">
      <h1>Your bots</h1>
      <ul>
        {rows.map((row) => (
          <OwnBotRow key={row.bot.name} row={row} requiredGames={requiredGames} />
        ))}
      </ul>
      <p class="actions">
        <a class="button quiet" href="/account">
          Manage your bots
        </a>
        <a class="button quiet" href={userPath(rows[0]?.bot.owner ?? "")}>
          Your profile
        </a>
      </p>
    </div>
  );
}

function OwnBotRow({
  row: { bot, rankChange, matches },
  requiredGames,
}: {
  row: OwnBot;
  requiredGames: number;
}) {
  return (
    <li class="own-bot">
      <Avatar {...bot} size={40} />
      <div>
        <a class="bot-name" href={botPath(bot.name)}>
          <bdi>{bot.display_name}</bdi>
        </a>
        {bot.online && <span class="doing online">online</span>}
        <p class="sub">{describePlace(bot, requiredGames)}</p>
      </div>
      <div class="own-rank">
        {bot.rank !== null && <span class="rank">Rank {bot.rank}</span>}
        {rankChange !== undefined && <RankChange rankChange={rankChange} />}
        <span class="own-results">
          {matches.map((match) => (
            <OwnMatchResult key={match.id} {...{ match, bot }} />
          ))}
        </span>
      </div>
    </li>
  );
}

function describePlace(bot: OwnBot["bot"], requiredGames: number): string {
  if (bot.version === null) return "No games yet";
  if (bot.rank !== null) return `rated ${bot.rating} ± ${bot.rating_deviation}`;
  return describeUnranked(bot.wins + bot.losses + bot.draws, requiredGames);
}

const OWN_RESULTS = {
  won: { letter: "W", tone: "up", words: "Won against" },
  lost: { letter: "L", tone: "down", words: "Lost to" },
  drawn: { letter: "D", tone: "same", words: "Drew with" },
  void: { letter: "–", tone: "same", words: "Void match with" },
} as const;

function OwnMatchResult({ match, bot }: { match: Match; bot: OwnBot["bot"] }) {
  const opponent = match.bots.find(({ name }) => name !== bot.name)?.display_name;
  const { letter: symbol, tone, words: description } = OWN_RESULTS[ownResult(match, bot.name)];
  const text = `${description} ${opponent ?? "itself"}`;
  return (
    <a class={`own-result ${tone}`} href={matchResultPath(match.id)} title={text}>
      <span aria-hidden="true">{symbol}</span>
      <span class="visually-hidden">{text}</span>
    </a>
  );
}

function ownResult({ voided, winner, bots }: Match, name: string): keyof typeof OWN_RESULTS {
  if (voided) return "void";
  if (winner === null) return "drawn";
  return bots.find(({ id }) => id === winner)?.name === name ? "won" : "lost";
}
