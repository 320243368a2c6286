import type { Match } from "#core/api/match.ts";
import type { Highlights } from "#core/api/season.ts";
import { Avatar } from "#site/avatars/avatar.tsx";
import { matchResultPath } from "#site/ui/links.ts";
import { MapThumbnail } from "#site/ui/map-thumbnail.tsx";
import { TimeLabel } from "#site/ui/time-label.tsx";
import { shortEndingText } from "#site/viewer/match-texts.ts";

type HighlightCard = { title: string; summary: string; match: Match };

export function HighlightCards({ highlights }: { highlights: Highlights }) {
  const cards = highlightCards(highlights);
  if (cards.length === 0) return <p class="empty">No highlights yet.</p>;
  return (
    <ul class="highlights">
      {cards.map(({ title, summary, match }) => (
        <li key={title}>
          <a class="card highlight" href={matchResultPath(match.id)}>
            <MapThumbnail map={match.map} size={92} />
            <span class="highlight-text">
              <strong class="highlight-title">{title}</strong>
              <span class="highlight-names">
                {match.bots.map((bot, seat) => (
                  <span key={seat} class={bot.id === match.winner ? "won" : "lost"}>
                    <Avatar {...bot} size={20} /> <bdi>{bot.display_name}</bdi>
                  </span>
                ))}
              </span>
              <span>{summary}</span>
              <span class="sub">
                {match.map}, {shortEndingText(match)} ·{" "}
                <TimeLabel instant={match.ended} precision="day" />
              </span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function highlightCards(highlights: Highlights): HighlightCard[] {
  const {
    longest: longestMatch,
    quickest: shortestMatch,
    biggest_swing: biggestSwing,
    biggest_upset: biggestUpset,
  } = highlights;
  const { opener: firstMatch, finale: lastMatch } = highlights;
  const cards: (HighlightCard | null)[] = [
    biggestUpset && {
      title: "Biggest upset",
      summary: `${biggestUpset.bot.display_name} won, rated ${biggestUpset.points} points lower`,
      match: biggestUpset.match,
    },
    longestMatch && buildCard("Longest match", `${longestMatch.final_tick} ticks`, longestMatch),
    biggestSwing && {
      title: "Biggest swing",
      summary: `${biggestSwing.points} points for ${biggestSwing.bot.display_name} in one match`,
      match: biggestSwing.match,
    },
    shortestMatch &&
      buildCard("Quickest win", `over after ${shortestMatch.final_tick} ticks`, shortestMatch),
    firstMatch && buildCard("First match", "where it began", firstMatch),
    lastMatch && buildCard("Latest match", "the most recent one", lastMatch),
  ];
  return cards.filter((highlightCard) => highlightCard !== null);
}

const buildCard = (title: string, summary: string, match: Match): HighlightCard => ({
  title,
  summary,
  match,
});
