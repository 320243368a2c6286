import type { User } from "#core/api/user.ts";
import type { UserData } from "#site/account/data.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { describeUnranked } from "#site/ui/bot-status-texts.ts";
import { EmptyState } from "#site/ui/empty-state.tsx";
import { botPath, ladderScope, userPath } from "#site/ui/links.ts";
import type { StandingsScope } from "#site/ui/links.ts";
import { Section } from "#site/ui/section.tsx";
import { TimeLabel } from "#site/ui/time-label.tsx";

type OwnedBot = User["bots"][number];

const AVATAR_PX = 32;

export function UserPage({ data }: { data: UserData }) {
  const { user, qualifying_games: requiredGames } = data;
  const { handle, created, bots } = user;
  const scope = ladderScope(user.ladder_id);
  const [activeBots, retiredBots] = [
    bots.filter((bot) => !bot.retired),
    bots.filter((bot) => bot.retired),
  ];
  return (
    <div class="person">
      <header class="person-head">
        <h1>
          <bdi>{handle}</bdi>
        </h1>
        <p class="sub">
          joined <TimeLabel instant={created} precision="day" />
        </p>
      </header>
      <UserLadderNav data={data} />
      <Section id="bots" title="Bots" note={ladderNote(data)}>
        {bots.length === 0 ? (
          <EmptyState subject="person's bots" />
        ) : (
          <UserBotTable
            bots={activeBots}
            caption={`Bots of ${handle}`}
            {...{ requiredGames, scope }}
          />
        )}
      </Section>
      {retiredBots.length > 0 && (
        <Section id="retired" title="Retired">
          <UserBotTable
            bots={retiredBots}
            caption={`Retired bots of ${handle}`}
            {...{ requiredGames, scope }}
          />
        </Section>
      )}
    </div>
  );
}

const ladderNote = ({ user, ladders }: UserData): string => {
  const name = ladders.find(({ id }) => id === user.ladder_id)?.name ?? user.ladder_id;
  return user.ladder_id === "public" ? "on the public ladder" : `on ${name}`;
};

function UserLadderNav({ data: { user, ladders } }: { data: UserData }) {
  if (ladders.length < 2) return null;
  return (
    <nav class="chips" aria-label="Ladders">
      {ladders.map(({ id, name }) => (
        <a
          key={id}
          class="chip"
          href={id === "public" ? userPath(user.handle) : `${userPath(user.handle)}?ladder=${id}`}
          aria-current={id === user.ladder_id ? "page" : undefined}
        >
          <bdi>{name}</bdi>
        </a>
      ))}
    </nav>
  );
}

type UserBotTableProps = {
  bots: readonly OwnedBot[];
  caption: string;
  requiredGames: number;
  scope: StandingsScope;
};

function UserBotTable({ bots, caption, requiredGames, scope }: UserBotTableProps) {
  return (
    <table class="places person-bots">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col" class="place">
            Rank
          </th>
          <th scope="col">Bot</th>
          <th scope="col" class="number points">
            Rating <span class="sub">± deviation</span>
          </th>
          <th scope="col" class="number record">
            <abbr title="Wins, losses, draws">W–L–D</abbr>
          </th>
          <th scope="col" class="number score">
            Score
          </th>
        </tr>
      </thead>
      <tbody>
        {bots.toSorted(compareRank).map((bot) => (
          <UserBotRow key={bot.name} {...{ bot, requiredGames, scope }} />
        ))}
      </tbody>
    </table>
  );
}

const UNRANKED_SORT_KEY = Number.MAX_SAFE_INTEGER;

/** Sorts unranked bots last, oldest first. */
const compareRank = (a: OwnedBot, b: OwnedBot): number =>
  (a.rank ?? UNRANKED_SORT_KEY) - (b.rank ?? UNRANKED_SORT_KEY);

function UserBotRow({
  bot,
  requiredGames,
  scope,
}: { bot: OwnedBot } & Pick<UserBotTableProps, "requiredGames" | "scope">) {
  const { rank, rating, rating_deviation: deviation, leaderboard_score: score } = bot;
  const games = bot.wins + bot.losses + bot.draws;
  const record = `${bot.wins}–${bot.losses}–${bot.draws}`;
  return (
    <tr>
      <td class="place">
        <span class="rank">{rank ?? "–"}</span>
      </td>
      <th scope="row">
        <span class="contender">
          <Avatar {...bot} size={AVATAR_PX} />
          <span class="contender-text">
            <span class="contender-name">
              <a class="bot-name" href={botPath(bot.name, scope)}>
                <bdi>{bot.display_name}</bdi>
              </a>
              {bot.online && <span class="doing online">online</span>}
            </span>
            <span class="sub contender-more">
              {bot.version === null ? "No games yet" : <bdi>{bot.version}</bdi>}
              {rank === null && !bot.retired && bot.version !== null && (
                <span> · {describeUnranked(games, requiredGames)}</span>
              )}
              {games > 0 && <span class="contender-record"> · {record}</span>}
            </span>
          </span>
        </span>
      </th>
      <td class="number points">
        {rating === null ? "–" : rating}{" "}
        {deviation !== null && <span class="sub">± {deviation}</span>}
      </td>
      <td class="number record">{record}</td>
      <td class="number score">{score ?? "–"}</td>
    </tr>
  );
}
