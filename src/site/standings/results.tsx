import type { LadderResults } from "#core/api/ladder-results.ts";
import type { Season, SeasonResults } from "#core/api/season.ts";
import type { AvatarSubject } from "#site/avatars/avatar-picture.ts";
import { Section } from "#site/ui/section.tsx";
import { TimeLabel } from "#site/ui/time-label.tsx";

import type { ResultsData } from "./data.ts";
import { HighlightCards } from "./highlights.tsx";
import { ArchiveLink, LadderAchievements, LadderMaps, LadderTotals } from "./ladder-results.tsx";
import { Podium, RunnersUp } from "./podium.tsx";
import type { AvatarLookup } from "./podium.tsx";
import { ChampionList, RivalryList, SpecialistLists, StyleList } from "./season-lists.tsx";
import { standingsPath } from "./standings-urls.ts";

export function ResultsPage({ data }: { data: ResultsData }) {
  if (data.scopeType === "ladder") return <LadderResultsView results={data.results} />;
  return <SeasonResultsView results={data.results} seasons={data.seasons} />;
}

function SeasonResultsView({
  results,
  seasons,
}: {
  results: SeasonResults;
  seasons: readonly Season[];
}) {
  const { season, standings, totals, highlights, specialists, rivalries, styles, bots } = results;
  const scope = { season: season.state === "live" ? undefined : season.id };
  // Bots may have been renamed. Names in these standings take precedence over current names.
  const currentAvatars = new Map(bots.map((bot): [string, AvatarSubject] => [bot.name, bot]));
  const avatarFor = avatarLookup(
    standings.map(({ name }, index) => [name, bots[index]] as const),
    currentAvatars,
  );
  const summaryItems = [
    `${totals.games} bouts`,
    `${totals.player_bots} players' bots`,
    `${totals.draws} draws`,
  ];
  return (
    <>
      <header class="ladder-head">
        <p class="kicker">Results</p>
        <h1>{season.name}</h1>
        <p class="lead">{summaryItems.join(" · ")}</p>
        <p class="sub">
          <SeasonStateText season={season} />
        </p>
      </header>
      <ResultsStandings {...{ standings, avatarFor, scope }} state={season.state} />
      <Section id="highlights" title="Highlights">
        <HighlightCards highlights={highlights} />
      </Section>
      <div class="pair">
        <Section id="rivalries" title="Rivalries">
          <RivalryList entries={rivalries} {...{ avatarFor, scope }} />
        </Section>
        <Section id="styles" title="Top fighting styles">
          <StyleList entries={styles} {...{ avatarFor, scope }} />
        </Section>
      </div>
      <Section id="specialists" title="Specialists">
        <SpecialistLists specialists={specialists} {...{ avatarFor, scope }} />
      </Section>
      <Section id="champions" title="Champions by month">
        <ChampionList seasons={seasons} shownSeason={season.id} />
      </Section>
    </>
  );
}

function SeasonStateText({ season: { state, closes_at } }: { season: Season }) {
  if (state === "archived") return <>Final results of this month.</>;
  if (state === "finalizing") return <>The month is over; its last matches are running.</>;
  return (
    <>
      Running until <TimeLabel instant={closes_at} precision="day" />
    </>
  );
}

type ResultsStandingsProps = {
  standings: SeasonResults["standings"];
  avatarFor: AvatarLookup;
  scope: { ladder?: string | undefined; season?: string | undefined };
  state: "live" | "finalizing" | "archived" | "upcoming" | "open" | "closed";
};

const NO_RANKING_TEXTS: Record<ResultsStandingsProps["state"], string> = {
  live: "No ranked bots yet. The podium is free.",
  open: "No ranked bots yet. The podium is free.",
  finalizing: "No bots were ranked.",
  archived: "No bots were ranked.",
  closed: "This ladder closed before any bot was ranked.",
  upcoming: "Not open yet. The podium is free.",
};

function ResultsStandings({ standings, avatarFor, scope, state }: ResultsStandingsProps) {
  if (standings.length === 0) return <p class="empty">{NO_RANKING_TEXTS[state]}</p>;
  return (
    <section class="podium-layout" aria-label="Top ranks">
      <Podium rows={standings} avatarFor={avatarFor} scope={scope} />
      <div>
        <RunnersUp rows={standings} avatarFor={avatarFor} scope={scope} />
        <p class="after-table">
          <a href={standingsPath(scope)}>Full standings</a>
        </p>
        {hasPlayersAndHouse(standings) && (
          <p class="sub">The podium is for players' bots; house bots are not included.</p>
        )}
      </div>
    </section>
  );
}

const hasPlayersAndHouse = (rows: ResultsStandingsProps["standings"]): boolean =>
  rows.some(({ house }) => house) && rows.some(({ house }) => !house);

function LadderResultsView({ results }: { results: LadderResults }) {
  const { ladder, standings, highlights, rivalries } = results;
  const scope = { ladder: ladder.id };
  const avatarFor = avatarLookup(
    standings.map((row) => [row.name, row] as const),
    new Map(),
  );
  return (
    <>
      <header class="ladder-head">
        <p class="kicker">{RESULTS_HEADINGS[ladder.phase]}</p>
        <h1>
          <bdi>{ladder.name}</bdi>
        </h1>
        {ladder.description !== "" && (
          <p class="lead">
            <bdi>{ladder.description}</bdi>
          </p>
        )}
        <LadderTotals results={results} />
      </header>
      <ResultsStandings {...{ standings, avatarFor, scope }} state={ladder.phase} />
      <Section id="highlights" title="Highlights">
        <HighlightCards highlights={highlights} />
      </Section>
      <div class="pair">
        <Section id="rivalries" title="Rivalries">
          <RivalryList entries={rivalries} {...{ avatarFor, scope }} />
        </Section>
        <Section id="maps" title="Maps">
          <LadderMaps results={results} />
        </Section>
      </div>
      <LadderAchievements results={results} />
      <ArchiveLink results={results} />
    </>
  );
}

const RESULTS_HEADINGS: Record<LadderResults["ladder"]["phase"], string> = {
  upcoming: "Upcoming",
  open: "Results so far",
  closed: "Final results",
};

/** Looks up avatars by the names in the standings, then by current names. */
function avatarLookup(
  historicalAvatars: readonly (readonly [name: string, face: AvatarSubject | undefined])[],
  currentAvatars: ReadonlyMap<string, AvatarSubject>,
): AvatarLookup {
  const avatarByName = new Map([
    ...currentAvatars,
    ...historicalAvatars.filter((avatarEntry) => avatarEntry[1] !== undefined),
  ]);
  return (name) => ({ ...avatarByName.get(name), name });
}
