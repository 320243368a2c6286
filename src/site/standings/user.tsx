import type { User } from "#core/resources/user.ts";
import type { UserData } from "#site/account/data.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { Empty } from "#site/look/empty.tsx";
import { botPath, ladderScope, userPath } from "#site/look/links.ts";
import type { Scope } from "#site/look/links.ts";
import { Section } from "#site/look/parts.tsx";
import { unrankedWords } from "#site/look/status-words.ts";
import { When } from "#site/look/when.tsx";

type OwnedBot = User["bots"][number];

const FACE_PX = 32;

/** A person, by the bots that are theirs. */
export function UserPage({ data }: { data: UserData }) {
  const { user, qualifying_games: needed } = data;
  const { handle, created, bots } = user;
  const scope = ladderScope(user.ladder_id);
  const [playing, retired] = [
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
          here since <When instant={created} form="day" />
        </p>
      </header>
      <Ladders data={data} />
      <Section id="bots" title="Bots" note={noteOf(data)}>
        {bots.length === 0 ? (
          <Empty of="person's bots" />
        ) : (
          <Bots bots={playing} caption={`The bots of ${handle}`} {...{ needed, scope }} />
        )}
      </Section>
      {retired.length > 0 && (
        <Section id="retired" title="Retired">
          <Bots bots={retired} caption={`The retired bots of ${handle}`} {...{ needed, scope }} />
        </Section>
      )}
    </div>
  );
}

const noteOf = ({ user, ladders }: UserData): string => {
  const name = ladders.find(({ id }) => id === user.ladder_id)?.name ?? user.ladder_id;
  return user.ladder_id === "public" ? "on the public ladder" : `on ${name}`;
};

/** The same person on another ladder. */
function Ladders({ data: { user, ladders } }: { data: UserData }) {
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

type BotsProps = { bots: readonly OwnedBot[]; caption: string; needed: number; scope: Scope };

function Bots({ bots, caption, needed, scope }: BotsProps) {
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
        {bots.toSorted(byRank).map((bot) => (
          <Row key={bot.name} {...{ bot, needed, scope }} />
        ))}
      </tbody>
    </table>
  );
}

const LAST = Number.MAX_SAFE_INTEGER;

/** Bots without a rank come last, in the order in which they were made. */
const byRank = (a: OwnedBot, b: OwnedBot): number => (a.rank ?? LAST) - (b.rank ?? LAST);

/** Without a rank: how far it is from one. */
function Row({ bot, needed, scope }: { bot: OwnedBot } & Pick<BotsProps, "needed" | "scope">) {
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
          <Avatar {...bot} size={FACE_PX} />
          <span class="contender-text">
            <span class="contender-name">
              <a class="bot-name" href={botPath(bot.name, scope)}>
                <bdi>{bot.display_name}</bdi>
              </a>
              {bot.online && <span class="doing online">online</span>}
            </span>
            <span class="sub contender-more">
              {bot.version === null ? "Has not played yet" : <bdi>{bot.version}</bdi>}
              {rank === null && !bot.retired && bot.version !== null && (
                <span> · {unrankedWords(games, needed)}</span>
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
