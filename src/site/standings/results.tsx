import type { LadderResults } from "#core/resources/ladder-results.ts";
import type { Season, SeasonResults } from "#core/resources/season.ts";
import type { Face } from "#site/avatars/avatar-picture.ts";
import { Section } from "#site/look/parts.tsx";
import { When } from "#site/look/when.tsx";

import { standingsPath } from "./addresses.ts";
import type { ResultsData } from "./data.ts";
import { HighlightCards } from "./highlights.tsx";
import { ArchiveLink, EarnedThere, LadderMaps, LadderTotals } from "./ladder-results.tsx";
import { Podium, RunnersUp } from "./podium.tsx";
import type { Faces } from "./podium.tsx";
import { Champions, Rivalries, Specialists, Styles } from "./season-parts.tsx";

/** A month, or a ladder, as a page worth keeping. */
export function ResultsPage({ data }: { data: ResultsData }) {
  if (data.of === "ladder") return <OfLadder results={data.results} />;
  return <OfSeason results={data.results} seasons={data.seasons} />;
}

function OfSeason({ results, seasons }: { results: SeasonResults; seasons: readonly Season[] }) {
  const { season, standings, totals, highlights, specialists, rivalries, styles, bots } = results;
  const scope = { season: season.state === "live" ? undefined : season.id };
  // Bots may have been renamed since: those of the standings come first and in that order.
  const present = new Map(bots.map((bot): [string, Face] => [bot.name, bot]));
  const faces = facesOf(
    standings.map(({ name }, at) => [name, bots[at]] as const),
    present,
  );
  const facts = [
    `${totals.games} bouts`,
    `${totals.player_bots} bots of players`,
    `${totals.draws} draws`,
  ];
  return (
    <>
      <header class="ladder-head">
        <p class="kicker">Results</p>
        <h1>{season.name}</h1>
        <p class="lead">{facts.join(" · ")}</p>
        <p class="sub">
          <SeasonWords season={season} />
        </p>
      </header>
      <Places {...{ standings, faces, scope }} state={season.state} />
      <Section id="highlights" title="Highlights">
        <HighlightCards highlights={highlights} />
      </Section>
      <div class="pair">
        <Section id="rivalries" title="Rivalries">
          <Rivalries of={rivalries} {...{ faces, scope }} />
        </Section>
        <Section id="styles" title="Styles of the best">
          <Styles of={styles} {...{ faces, scope }} />
        </Section>
      </div>
      <Section id="specialists" title="Specialists">
        <Specialists of={specialists} {...{ faces, scope }} />
      </Section>
      <Section id="champions" title="Champions of each month">
        <Champions seasons={seasons} shown={season.id} />
      </Section>
    </>
  );
}

function SeasonWords({ season: { state, closes_at } }: { season: Season }) {
  if (state === "archived") return <>The month is over, and this is how it went.</>;
  if (state === "finalizing") return <>The month is over; its last bouts are being fought.</>;
  return (
    <>
      Being played until <When instant={closes_at} form="day" />
    </>
  );
}

type PlacesProps = {
  standings: SeasonResults["standings"];
  faces: Faces;
  scope: { ladder?: string | undefined; season?: string | undefined };
  state: "live" | "finalizing" | "archived" | "upcoming" | "open" | "closed";
};

const NOBODY_WORDS: Record<PlacesProps["state"], string> = {
  live: "Nobody is ranked yet. The podium is free.",
  open: "Nobody is ranked yet. The podium is free.",
  finalizing: "Nobody was ranked in it.",
  archived: "Nobody was ranked in it.",
  closed: "It closed before anybody was ranked.",
  upcoming: "It has not begun. The podium is free.",
};

function Places({ standings, faces, scope, state }: PlacesProps) {
  if (standings.length === 0) return <p class="empty">{NOBODY_WORDS[state]}</p>;
  return (
    <section class="podium-layout" aria-label="The first places">
      <Podium rows={standings} faces={faces} scope={scope} />
      <div>
        <RunnersUp rows={standings} faces={faces} scope={scope} />
        <p class="after-table">
          <a href={standingsPath(scope)}>The whole standings</a>
        </p>
        {isMixed(standings) && (
          <p class="sub">The steps of the podium are for players: they leave out the house.</p>
        )}
      </div>
    </section>
  );
}

/** Whether both players and the house are ranked. */
const isMixed = (rows: PlacesProps["standings"]): boolean =>
  rows.some(({ house }) => house) && rows.some(({ house }) => !house);

function OfLadder({ results }: { results: LadderResults }) {
  const { ladder, standings, highlights, rivalries } = results;
  const scope = { ladder: ladder.id };
  const faces = facesOf(
    standings.map((row) => [row.name, row] as const),
    new Map(),
  );
  return (
    <>
      <header class="ladder-head">
        <p class="kicker">{HEADINGS[ladder.phase]}</p>
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
      <Places {...{ standings, faces, scope }} state={ladder.phase} />
      <Section id="highlights" title="Highlights">
        <HighlightCards highlights={highlights} />
      </Section>
      <div class="pair">
        <Section id="rivalries" title="Rivalries">
          <Rivalries of={rivalries} {...{ faces, scope }} />
        </Section>
        <Section id="maps" title="Maps">
          <LadderMaps results={results} />
        </Section>
      </div>
      <EarnedThere results={results} />
      <ArchiveLink results={results} />
    </>
  );
}

const HEADINGS: Record<LadderResults["ladder"]["phase"], string> = {
  upcoming: "Results to come",
  open: "Results so far",
  closed: "Final results",
};

/** Faces by the names of the time, then by present ones. */
function facesOf(
  placed: readonly (readonly [name: string, face: Face | undefined])[],
  present: ReadonlyMap<string, Face>,
): Faces {
  const known = new Map([...present, ...placed.filter((one) => one[1] !== undefined)]);
  return (name) => ({ ...known.get(name), name });
}
