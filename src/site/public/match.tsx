import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { bothOf } from "#base/units/sure.ts";
import { RULES } from "#core/engine/rules.ts";
import type { Match } from "#core/resources/match.ts";
import { HUMAN } from "#core/words/rated.ts";
import { achievementsPath } from "#site/events/words.ts";
import { BotName } from "#site/look/bot-name.tsx";
import { ladderScope } from "#site/look/links.ts";
import { MapPicture } from "#site/look/map-picture.tsx";
import { When } from "#site/look/when.tsx";
import { RatingChange } from "#site/viewer/rating-change.tsx";
import { endingSentence, fighterIdOf, nameOfBot } from "#site/viewer/words.ts";

import type { EndedBout, MatchData, RunningBout } from "./data.ts";
import { useFollowed } from "./follow.ts";
import { Late } from "./late.tsx";
import { Blame } from "./loss-report.tsx";
import { NeighbourKeys, Neighbours, useNeighbourKeys } from "./neighbours.tsx";
import { remarksOn } from "./remarks.ts";
import { Replay, StageEmpty } from "./replay.tsx";
import { ResultChoice } from "./result-choice.tsx";
import { useResults } from "./results.ts";
import type { HiddenResults } from "./results.ts";
import { TakeAlong } from "./take-along.tsx";

/**
 * A bout: the fighters, how it ended, the replay, and why. A running one is followed to its end.
 */
export function MatchPage({ data: first }: { data: MatchData }) {
  const [data, setData] = useState(first);
  const results = useResults(data.match.id, data.phase === "running");
  return (
    <>
      {data.phase === "running" ? (
        <Running {...data} {...{ results }} onData={setData} />
      ) : (
        <Ended bout={data} results={results} />
      )}
      <TakeAlong data={data} />
    </>
  );
}

type EndedProps = { bout: Extract<MatchData, EndedBout>; results: HiddenResults };

function Ended({ bout, results }: EndedProps) {
  const { match, stats, around, has_replay } = bout;
  const [a, b] = bothOf(match.bots);
  const [round, setRound] = useState(0);
  useNeighbourKeys(around);
  const watch = (): void => {
    setRound(round + 1);
    document.querySelector(".viewer")?.scrollIntoView();
  };
  return (
    <>
      <Late isHidden={results.isHidden} onWatch={watch} />
      <FightCard
        names={[nameOfBot(a), nameOfBot(b)]}
        corners={[
          <Corner bot={a} seat={0} match={match} />,
          <Corner bot={b} seat={1} match={match} />,
        ]}
      >
        <div class="result-slot">
          <p class="ending of-result">{endingSentence(match)}</p>
          <p class="ending result-cover">The result is hidden until you have watched.</p>
        </div>
        <p class="sub">
          <MapPicture map={match.map} size={20} /> {match.map}{" "}
          <span class="of-result">· {match.final_tick} ticks</span>
          <OnLadder id={match.ladder_id} name={bout.ladder_name} />
          <When instant={match.ended} />
        </p>
        <ResultChoice results={results} />
      </FightCard>
      <AskedFor match={match} event={bout.event} />
      {remarksOn(match).map((text) => (
        <p key={text} class="notice remark of-result">
          {text}
        </p>
      ))}
      <Replay
        match={match}
        isKept={has_replay}
        results={results}
        round={round}
        keys={<NeighbourKeys around={around} />}
      />
      <Neighbours around={around} match={match} />
      <div class="after-result">
        {stats === null ? <NoStats match={match} /> : <Blame match={match} stats={stats} />}
      </div>
    </>
  );
}

/** The public ladder goes without saying. */
function OnLadder({ id, name }: { id: string; name: string | null }) {
  if (name === null) return null;
  return (
    <>
      {" "}
      · on{" "}
      <a href={`/ladder?ladder=${id}`}>
        <bdi>{name}</bdi>
      </a>{" "}
    </>
  );
}

type AskedForProps = { match: Match; event: EndedBout["event"] };

/** Why these two met, where it was no chance. */
function AskedFor({ match: { asked_for: asked, bots }, event }: AskedForProps) {
  const own = bots.find(({ id }) => id === asked?.bot_id);
  const other = bots.find(({ id }) => id !== asked?.bot_id);
  if (asked === undefined || own === undefined || other === undefined) return null;
  return (
    <p class="sub asked-for">
      They met because the owner of <bdi>{nameOfBot(own)}</bdi> asked for {nameOfBot(other)}
      {event !== null && (
        <>
          {" "}
          in the event{" "}
          <a href={achievementsPath(event.id)}>
            <bdi>{event.name}</bdi>
          </a>
        </>
      )}
      . It counts like any game.
    </p>
  );
}

function NoStats({ match }: { match: Match }) {
  if (match.voided) return null;
  return <p class="notice">There are no statistics of this bout.</p>;
}

type FightCardProps = {
  names: [string, string];
  corners: [ComponentChildren, ComponentChildren];
  children: ComponentChildren;
};

/** Who fights, and between them how it stands. Alike before and after the end. */
function FightCard({ names, corners, children }: FightCardProps) {
  return (
    <header class="fight-card">
      <h1 class="visually-hidden">
        {names[0]} against {names[1]}
      </h1>
      <div class="fight-corner a">{corners[0]}</div>
      <div class="fight-middle">{children}</div>
      <div class="fight-corner b">{corners[1]}</div>
    </header>
  );
}

type CornerProps = { bot: Match["bots"][number]; seat: number; match: Match };

function Corner({ bot, seat, match }: CornerProps) {
  const side = fighterIdOf(bot, seat).toLowerCase();
  return (
    <>
      <p class={`fight-name corner-${side}`}>
        {bot.id === HUMAN.name ? (
          nameOfBot(bot)
        ) : (
          <BotName
            {...bot}
            display={bot.display_name}
            scope={ladderScope(match.ladder_id)}
            size={32}
          />
        )}
      </p>
      <p class="sub">
        {bot.id === HUMAN.name ? "at the keyboard" : bot.version}
        {bot.id === match.winner && <span class="won-badge of-result">won</span>}
      </p>
      <Rating bot={bot} />
    </>
  );
}

function Rating({ bot }: { bot: Match["bots"][number] }) {
  if (bot.rating_after === undefined) return <p class="fight-rating sub">unrated</p>;
  return (
    <p class="fight-rating of-result">
      <RatingChange seat={bot} />
    </p>
  );
}

type RunningProps = {
  match: RunningBout;
  results: HiddenResults;
  onData: (data: MatchData) => void;
} & Pick<MatchData, "base_url" | "ladder_name">;

function Running({ match, results, onData, base_url: base, ladder_name }: RunningProps) {
  const { tick, isLost } = useFollowed(match, onData);
  const [a, b] = bothOf(match.display_names);
  return (
    <>
      <FightCard
        names={[a, b]}
        corners={[<RunningCorner name={a} side="a" />, <RunningCorner name={b} side="b" />]}
      >
        <div class="result-slot">
          <p class="ending">
            Tick <strong>{tick}</strong> of at most {RULES.max_ticks}
          </p>
        </div>
        <p class="sub">
          <MapPicture map={match.map} size={20} /> {match.map}
          <OnLadder id={match.ladder_id} name={ladder_name} /> · begun
          <When instant={match.started} />
        </p>
        <ResultChoice results={results} />
      </FightCard>
      <StageEmpty>
        <span role="status">
          {isLost
            ? "The server does not answer; trying again."
            : `This bout is being fought on ${match.map}. The replay starts here as soon as it has ended.`}
        </span>
        <noscript>
          <span class="plain-words">
            Without JavaScript this page stands still: load it again for the tick of the moment, and
            for the result once the bout is over. In a terminal, <code>curl {base}/api/status</code>{" "}
            says the same; see <a href="/guide/api#get-apistatus">the guide</a>.
          </span>
        </noscript>
      </StageEmpty>
    </>
  );
}

/** As many lines as a corner has in the end. */
function RunningCorner({ name, side }: { name: string; side: "a" | "b" }) {
  return (
    <>
      <p class={`fight-name corner-${side}`}>
        <span class="bot">
          <span class="avatar-room" />
          <bdi class="bot-name">{name}</bdi>
        </span>
      </p>
      <p class="sub">{"\u00a0"}</p>
      <p class="fight-rating">{"\u00a0"}</p>
    </>
  );
}
