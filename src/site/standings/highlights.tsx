import type { Match } from "#core/resources/match.ts";
import type { Highlights } from "#core/resources/season.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { matchPath } from "#site/look/links.ts";
import { MapPicture } from "#site/look/map-picture.tsx";
import { When } from "#site/look/when.tsx";
import { endingShort } from "#site/viewer/words.ts";

type Card = { title: string; about: string; match: Match };

/** The bouts that people will want to see again. */
export function HighlightCards({ highlights }: { highlights: Highlights }) {
  const cards = cardsOf(highlights);
  if (cards.length === 0) return <p class="empty">No bout of it stands out yet.</p>;
  return (
    <ul class="highlights">
      {cards.map(({ title, about, match }) => (
        <li key={title}>
          <a class="card highlight" href={matchPath(match.id)}>
            <MapPicture map={match.map} size={92} />
            <span class="highlight-text">
              <strong class="highlight-title">{title}</strong>
              <span class="highlight-names">
                {match.bots.map((bot, seat) => (
                  <span key={seat} class={bot.id === match.winner ? "won" : "lost"}>
                    <Avatar {...bot} size={20} /> <bdi>{bot.display_name}</bdi>
                  </span>
                ))}
              </span>
              <span>{about}</span>
              <span class="sub">
                {match.map}, {endingShort(match)} · <When instant={match.ended} form="day" />
              </span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function cardsOf(highlights: Highlights): Card[] {
  const { longest, quickest, biggest_swing: swing, biggest_upset: upset } = highlights;
  const { opener, finale } = highlights;
  const cards: (Card | null)[] = [
    upset && {
      title: "Biggest upset",
      about: `${upset.bot.display_name} won, rated ${upset.points} points lower`,
      match: upset.match,
    },
    longest && card("Longest bout", `${longest.final_tick} ticks`, longest),
    swing && {
      title: "Biggest swing",
      about: `${swing.points} points for ${swing.bot.display_name} in one bout`,
      match: swing.match,
    },
    quickest && card("Quickest end", `over after ${quickest.final_tick} ticks`, quickest),
    opener && card("The first bout", "where it began", opener),
    finale && card("The last bout", "the newest of all", finale),
  ];
  return cards.filter((one) => one !== null);
}

const card = (title: string, about: string, match: Match): Card => ({ title, about, match });
