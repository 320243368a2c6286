import { assertDefined } from "#base/util/assert-defined.ts";
import type { Match } from "#core/api/match.ts";
import { ATTACKS } from "#core/engine/types.ts";
import type { FighterStats, IdleReason, MatchStats, Refusal } from "#core/engine/types.ts";
import { IDLE_REASON_TEXT } from "#core/replay/idle-reason-text.ts";
import { Bar, Section } from "#site/ui/section.tsx";
import { REFUSAL_TEXTS, fighterNames, formatSignedChange } from "#site/viewer/match-texts.ts";
import type { NamesByFighter } from "#site/viewer/match-texts.ts";

import { buildHpTable, describeDecision } from "./hp-table.ts";
import { sortedCounts, damageScale, lossFindingsFor } from "./loss-findings.ts";

export function LossReport({ match, stats }: { match: Match; stats: MatchStats }) {
  const names = fighterNames(match);
  const loser = stats.fighters.find(({ id }) => stats.winner !== null && id !== stats.winner);
  const title = loser === undefined ? "Match report" : `Why ${names[loser.id] ?? loser.id} lost`;
  const orderedFighters =
    loser === undefined ? stats.fighters : [loser, ...withoutFighter(stats, loser)];
  return (
    <Section id="why" title={title} note={<a href="/guide/debugging">How to debug a lost match</a>}>
      {loser !== undefined && <DecisionSummary stats={stats} loser={loser} />}
      <div class="findings">
        {orderedFighters.map((fighter) => (
          <FighterFindings key={fighter.id} fighter={fighter} stats={stats} names={names} />
        ))}
      </div>
      <HpTable stats={stats} names={names} />
      <AttackTable stats={stats} names={names} />
      <FailureTable stats={stats} names={names} />
    </Section>
  );
}

function DecisionSummary({ stats, loser }: { stats: MatchStats; loser: FighterStats }) {
  const textFor = describeDecision(stats, stats.fighters.indexOf(loser));
  return textFor === null ? null : <p class="decided">{textFor}</p>;
}

function withoutFighter(stats: MatchStats, fighter: FighterStats): FighterStats[] {
  return stats.fighters.filter((otherFighter) => otherFighter !== fighter);
}

type FighterFindingsProps = { fighter: FighterStats; stats: MatchStats; names: NamesByFighter };

function FighterFindings({ fighter, stats, names }: FighterFindingsProps) {
  const opponentStats = assertDefined(withoutFighter(stats, fighter)[0], "other fighter");
  return (
    <div class={`finding-card ${fighter.id.toLowerCase()}`}>
      <h3 class={`corner-${fighter.id.toLowerCase()}`}>{names[fighter.id] ?? fighter.id}</h3>
      <ul>
        {lossFindingsFor(fighter, opponentStats, stats.ticks).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

type FighterTableProps = { stats: MatchStats; names: NamesByFighter };

function FighterColumns({ stats, names, rowTitle }: FighterTableProps & { rowTitle: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{rowTitle}</th>
        {stats.fighters.map(({ id }) => (
          <th key={id} scope="col" class={`corner-${id.toLowerCase()}`}>
            {names[id] ?? id}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Lists both fighters' HP changes. Each column adds up to the final HP. */
function HpTable({ stats, names }: FighterTableProps) {
  const scale = damageScale(stats.fighters);
  const { rows, left: remainingHp } = buildHpTable(stats);
  return (
    <table class="sheet account">
      <caption>
        HP breakdown: gains and losses{" "}
        <span class="sub">By the opponent unless stated otherwise.</span>
      </caption>
      <FighterColumns stats={stats} names={names} rowTitle="HP" />
      <tbody>
        {rows.map(({ label, amounts, pickupCounts }) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {stats.fighters.map(({ id }, seat) => (
              <td key={id}>
                <HpAmount
                  amount={assertDefined(amounts[seat], "amount")}
                  pickupCount={pickupCounts?.[seat]}
                  scale={scale}
                  fighterId={id}
                />
              </td>
            ))}
          </tr>
        ))}
        <tr class="total">
          <th scope="row">final HP</th>
          {stats.fighters.map(({ id }, seat) => (
            <td key={id}>{remainingHp[seat]}</td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

type HpAmountProps = {
  amount: number;
  pickupCount: number | undefined;
  scale: number;
  fighterId: string;
};

function HpAmount({ amount, pickupCount, scale, fighterId }: HpAmountProps) {
  const label = `${-amount} damage`;
  return (
    <span class="measure">
      <span class="number">{amount === 0 ? "0" : formatSignedChange(amount)}</span>
      {amount < 0 ? (
        <Bar value={-amount} max={scale} label={label} tone={`tone-${fighterId.toLowerCase()}`} />
      ) : (
        <span class="sub">
          {pickupCount !== undefined && pickupCount > 0 && `${pickupCount}× health`}
        </span>
      )}
    </span>
  );
}

function AttackTable({ stats, names }: FighterTableProps) {
  return (
    <table class="sheet">
      <caption>Attacks: hits of uses, and damage dealt</caption>
      <FighterColumns stats={stats} names={names} rowTitle="Attack" />
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
          <th scope="row">power pickups</th>
          {stats.fighters.map(({ id, pickups }) => (
            <td key={id}>{pickups.power}×</td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

function FailureTable({ stats, names }: FighterTableProps) {
  return (
    <table class="sheet">
      <caption>Rejected actions, failed turns, response times</caption>
      <FighterColumns stats={stats} names={names} rowTitle="Detail" />
      <tbody>
        <tr>
          <th scope="row">rejected actions</th>
          {stats.fighters.map(({ id, rejected }) => (
            <td key={id}>
              <ReasonCounts
                counts={rejected}
                textFor={(reason) => REFUSAL_TEXTS[reason as Refusal]}
              />
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row">failed turns</th>
          {stats.fighters.map(({ id, server_idles }) => (
            <td key={id}>
              <ReasonCounts
                counts={server_idles}
                textFor={(reason) => IDLE_REASON_TEXT[reason as IdleReason]}
              />
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row">response time</th>
          {stats.fighters.map(({ id, timing }) => (
            <td key={id}>
              {timing === null
                ? "not measured"
                : `mean ${timing.mean_ms.toFixed(1)} ms, p95 ${timing.p95_ms.toFixed(0)} ms, max ${timing.max_ms.toFixed(0)} ms`}
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

type ReasonCountsProps = {
  counts: Partial<Record<string, number>>;
  textFor: (reason: string) => string;
};

function ReasonCounts({ counts, textFor }: ReasonCountsProps) {
  const entries = sortedCounts(counts);
  if (entries.length === 0) return <>none</>;
  return (
    <ul>
      {entries.map(([reason, count]) => (
        <li key={reason}>
          {count}× {textFor(reason)}
        </li>
      ))}
    </ul>
  );
}
