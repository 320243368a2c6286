import { sure } from "#base/units/sure.ts";
import { ATTACKS } from "#core/engine/types.ts";
import type { FighterStats, IdleReason, MatchStats, Refusal } from "#core/engine/types.ts";
import { IDLE_WORDS } from "#core/replay/idle-words.ts";
import type { Match } from "#core/resources/match.ts";
import { Bar, Section } from "#site/look/parts.tsx";
import { REFUSAL_WORDS, fighterNames, signed } from "#site/viewer/words.ts";
import type { Names } from "#site/viewer/words.ts";

import { accountOf, decidedWords } from "./account.ts";
import { countsOf, damageScale, findingsOf } from "./findings.ts";

/** Why the bout went as it did, from the statistics, for authors who want to improve. */
export function Blame({ match, stats }: { match: Match; stats: MatchStats }) {
  const names = fighterNames(match);
  const loser = stats.fighters.find(({ id }) => stats.winner !== null && id !== stats.winner);
  const title = loser === undefined ? "How it went" : `Why ${names[loser.id] ?? loser.id} lost`;
  const inOrder = loser === undefined ? stats.fighters : [loser, ...without(stats, loser)];
  return (
    <Section
      id="why"
      title={title}
      note={<a href="/guide/debugging">From a lost game to the line in your program</a>}
    >
      {loser !== undefined && <Decided stats={stats} loser={loser} />}
      <div class="findings">
        {inOrder.map((fighter) => (
          <Findings key={fighter.id} fighter={fighter} stats={stats} names={names} />
        ))}
      </div>
      <AccountTable stats={stats} names={names} />
      <AttackTable stats={stats} names={names} />
      <FaultTable stats={stats} names={names} />
    </Section>
  );
}

/** The answer first; what adds up to it follows. */
function Decided({ stats, loser }: { stats: MatchStats; loser: FighterStats }) {
  const words = decidedWords(stats, stats.fighters.indexOf(loser));
  return words === null ? null : <p class="decided">{words}</p>;
}

function without(stats: MatchStats, fighter: FighterStats): FighterStats[] {
  return stats.fighters.filter((other) => other !== fighter);
}

type FindingsProps = { fighter: FighterStats; stats: MatchStats; names: Names };

function Findings({ fighter, stats, names }: FindingsProps) {
  const other = sure(without(stats, fighter)[0], "other fighter");
  return (
    <div class={`finding-card ${fighter.id.toLowerCase()}`}>
      <h3 class={`corner-${fighter.id.toLowerCase()}`}>{names[fighter.id] ?? fighter.id}</h3>
      <ul>
        {findingsOf(fighter, other, stats.ticks).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

type TableProps = { stats: MatchStats; names: Names };

function Head({ stats, names, first }: TableProps & { first: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {stats.fighters.map(({ id }) => (
          <th key={id} scope="col" class={`corner-${id.toLowerCase()}`}>
            {names[id] ?? id}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Every hit point of both: the rows of a column add up to what was left. */
function AccountTable({ stats, names }: TableProps) {
  const scale = damageScale(stats.fighters);
  const { rows, left } = accountOf(stats);
  return (
    <table class="sheet account">
      <caption>
        Every hit point: where it came from, and where it went{" "}
        <span class="sub">Done by the other one, unless the row says otherwise.</span>
      </caption>
      <Head stats={stats} names={names} first="Hit points" />
      <tbody>
        {rows.map(({ what, amounts, times }) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            {stats.fighters.map(({ id }, seat) => (
              <td key={id}>
                <Amount
                  amount={sure(amounts[seat], "amount")}
                  times={times?.[seat]}
                  scale={scale}
                  side={id}
                />
              </td>
            ))}
          </tr>
        ))}
        <tr class="total">
          <th scope="row">left</th>
          {stats.fighters.map(({ id }, seat) => (
            <td key={id}>{left[seat]}</td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

type AmountProps = { amount: number; times: number | undefined; scale: number; side: string };

/** What it cost has a bar. */
function Amount({ amount, times, scale, side }: AmountProps) {
  const label = `${-amount} damage`;
  return (
    <span class="measure">
      <span class="number">{amount === 0 ? "0" : signed(amount)}</span>
      {amount < 0 ? (
        <Bar value={-amount} max={scale} label={label} tone={`tone-${side.toLowerCase()}`} />
      ) : (
        <span class="sub">{times !== undefined && times > 0 && `${times}× health`}</span>
      )}
    </span>
  );
}

function AttackTable({ stats, names }: TableProps) {
  return (
    <table class="sheet">
      <caption>Attacks: hits of uses, and damage done</caption>
      <Head stats={stats} names={names} first="Attack" />
      <tbody>
        {ATTACKS.map((attack) => (
          <tr key={attack}>
            <th scope="row">{attack}</th>
            {stats.fighters.map(({ id, weapons }) => (
              <td key={id}>
                {weapons[attack].hits} of {weapons[attack].uses}{" "}
                <span class="sub">{weapons[attack].damage} damage</span>
              </td>
            ))}
          </tr>
        ))}
        <tr>
          <th scope="row">power picked up</th>
          {stats.fighters.map(({ id, pickups }) => (
            <td key={id}>{pickups.power}×</td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

function FaultTable({ stats, names }: TableProps) {
  return (
    <table class="sheet">
      <caption>Refused parts, failed turns, answer times</caption>
      <Head stats={stats} names={names} first="What" />
      <tbody>
        <tr>
          <th scope="row">refused parts</th>
          {stats.fighters.map(({ id, rejected }) => (
            <td key={id}>
              <Counts counts={rejected} words={(reason) => REFUSAL_WORDS[reason as Refusal]} />
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row">failed turns</th>
          {stats.fighters.map(({ id, server_idles }) => (
            <td key={id}>
              <Counts counts={server_idles} words={(reason) => IDLE_WORDS[reason as IdleReason]} />
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row">answers</th>
          {stats.fighters.map(({ id, timing }) => (
            <td key={id}>
              {timing === null
                ? "none timed"
                : `mean ${timing.mean_ms.toFixed(1)} ms, 95 % at most ${timing.p95_ms.toFixed(0)} ms, longest ${timing.max_ms.toFixed(0)} ms`}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

type CountsProps = { counts: Partial<Record<string, number>>; words: (reason: string) => string };

function Counts({ counts, words }: CountsProps) {
  const list = countsOf(counts);
  if (list.length === 0) return <>none</>;
  return (
    <ul>
      {list.map(([reason, count]) => (
        <li key={reason}>
          {count}× {words(reason)}
        </li>
      ))}
    </ul>
  );
}
