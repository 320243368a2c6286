import { useEffect, useState } from "preact/hooks";

import type { Match } from "#core/resources/match.ts";
import type { StandingsPage } from "#core/resources/standings.ts";
import type { User } from "#core/resources/user.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { botPath, matchPath, userPath } from "#site/look/links.ts";
import { unrankedWords } from "#site/look/status-words.ts";
import { getJson, startPolling } from "#site/public/poll.ts";
import { useOwnAccount } from "#site/sign-in/own-account.ts";

import { Moved } from "./places.tsx";

type OwnBot = {
  bot: User["bots"][number];
  /** Change of rank since the last midnight UTC; undefined without a rank. */
  moved: number | null | undefined;
  /** Newest first. */
  matches: readonly Match[];
};

const POLL_MS = 15_000;
const MAX_BOTS = 4;
const MATCHES_PER_BOT = 5;

/** The bots of the signed-in account, best rank first; null while signed out or not loaded. */
export function useOwnBots(): readonly OwnBot[] | null {
  const handle = useOwnAccount()?.handle ?? null;
  const [bots, setBots] = useState<readonly OwnBot[] | null>(null);
  useEffect(() => {
    setBots(null);
    if (handle === null) return undefined;
    let isCurrent = true;
    const load = () => loadOwnBots(handle);
    load().then(
      (found) => isCurrent && setBots(found),
      () => {},
    );
    const stop = startPolling({ load, everyMs: POLL_MS, onData: setBots, onTrouble: () => {} });
    return () => {
      isCurrent = false;
      stop();
    };
  }, [handle]);
  return bots;
}

async function loadOwnBots(handle: string): Promise<OwnBot[]> {
  const [user, standings] = await Promise.all([
    getJson<User>(`/api/users/${handle}`),
    getJson<StandingsPage>(`/api/standings?owner=${handle}`),
  ]);
  const bots = user.value.bots.filter(({ retired }) => !retired).toSorted(byRank);
  return Promise.all(
    bots.slice(0, MAX_BOTS).map(async (bot) => {
      const path = `/api/matches?bot=${encodeURIComponent(bot.name)}&limit=${MATCHES_PER_BOT}`;
      const { value: matches } = await getJson<Match[]>(path);
      const row = standings.value.rows.find(({ name }) => name === bot.name);
      return { bot, moved: row?.moved, matches };
    }),
  );
}

/** Unranked bots last. */
const byRank = (a: OwnBot["bot"], b: OwnBot["bot"]): number =>
  (a.rank ?? Number.MAX_SAFE_INTEGER) - (b.rank ?? Number.MAX_SAFE_INTEGER);

type OwnBotsProps = { rows: readonly OwnBot[]; qualifying_games: number };

/** Takes the place of the pitch on the front page. */
export function OwnBots({ rows, qualifying_games: needed }: OwnBotsProps) {
  return (
    <div class="own-panel">
      <h1>Your bots</h1>
      <ul>
        {rows.map((row) => (
          <OwnBotRow key={row.bot.name} row={row} needed={needed} />
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

function OwnBotRow({ row: { bot, moved, matches }, needed }: { row: OwnBot; needed: number }) {
  return (
    <li class="own-bot">
      <Avatar {...bot} size={40} />
      <div>
        <a class="bot-name" href={botPath(bot.name)}>
          <bdi>{bot.display_name}</bdi>
        </a>
        {bot.online && <span class="doing online">online</span>}
        <p class="sub">{placeWords(bot, needed)}</p>
      </div>
      <div class="own-rank">
        {bot.rank !== null && <span class="rank">Rank {bot.rank}</span>}
        {moved !== undefined && <Moved by={moved} />}
        <span class="own-results">
          {matches.map((match) => (
            <Result key={match.id} {...{ match, bot }} />
          ))}
        </span>
      </div>
    </li>
  );
}

function placeWords(bot: OwnBot["bot"], needed: number): string {
  if (bot.version === null) return "Has not played yet";
  if (bot.rank !== null) return `rated ${bot.rating} ± ${bot.rating_deviation}`;
  return unrankedWords(bot.wins + bot.losses + bot.draws, needed);
}

const RESULTS = {
  won: { letter: "W", tone: "up", words: "Won against" },
  lost: { letter: "L", tone: "down", words: "Lost to" },
  drawn: { letter: "D", tone: "same", words: "Drew with" },
  void: { letter: "–", tone: "same", words: "Void match with" },
} as const;

function Result({ match, bot }: { match: Match; bot: OwnBot["bot"] }) {
  const opponent = match.bots.find(({ name }) => name !== bot.name)?.display_name;
  const { letter, tone, words } = RESULTS[resultFor(match, bot.name)];
  const text = `${words} ${opponent ?? "itself"}`;
  return (
    <a class={`own-result ${tone}`} href={matchPath(match.id)} title={text}>
      <span aria-hidden="true">{letter}</span>
      <span class="visually-hidden">{text}</span>
    </a>
  );
}

function resultFor({ voided, winner, bots }: Match, name: string): keyof typeof RESULTS {
  if (voided) return "void";
  if (winner === null) return "drawn";
  return bots.find(({ id }) => id === winner)?.name === name ? "won" : "lost";
}
