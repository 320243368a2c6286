import type { Mismatch } from "#core/engine/replay.ts";
import { ATTACKS } from "#core/engine/types.ts";
import type { FighterStats, MatchStats, Replay } from "#core/engine/types.ts";
import { endReasonText } from "#core/replay/end-reason-text.ts";
import { createStyledPart } from "#tools/terminal/color.ts";
import type { OutputLine } from "#tools/terminal/color.ts";

import { describeVersionMismatch } from "./replay-check.ts";
import type { CheckedReplay } from "./replay-check.ts";

/** Returns each fighter's name and version, in seat order. */
export function fighterLabels({ header }: Replay): string[] {
  return header.fighters.map(({ name, version }) => `${name}@${version}`);
}

export function formatReplaySummary(checked: CheckedReplay): OutputLine[] {
  const { replay, stats } = checked;
  const { header } = replay;
  const { map, seed, ladder_id: ladder, mode, started, versions } = header;
  const names = fighterLabels(replay);
  const note = describeVersionMismatch(header);
  return [
    `match      ${header.match_id} (${mode}, ladder ${ladder}, ${started})`,
    `fight      ${names.join(" against ")} on ${map.name}, seed ${seed}`,
    `versions   engine ${versions.engine}, rules ${versions.rules}, protocol ${versions.protocol}`,
    `result     ${describeResult(replay)}`,
    ["replay     ", ...formatReplayVerdict(checked)],
    ...(note === null ? [] : [`note       ${note}`]),
    ...(stats === null ? [] : ["", ...statsTable(stats)]),
  ];
}

function describeResult({ header, result }: Replay): string {
  const { winner, reason, ticks } = result;
  const name = header.fighters.find(({ id }) => id === winner)?.name;
  const outcome = name === undefined ? "draw" : `${winner} ${name} wins`;
  return `${outcome} after ${ticks} ticks (${reason}: ${endReasonText(reason)})`;
}

export function formatReplayVerdict({
  mismatch,
  replay,
}: CheckedReplay): Exclude<OutputLine, string> {
  if (mismatch !== null)
    return [createStyledPart("MISMATCH", "red", "bold"), `: ${describeMismatch(mismatch)}`];
  return [
    createStyledPart("ok", "green"),
    `: all ${replay.ticks.length} ticks match the simulation`,
  ];
}

export function describeMismatch({ tick, field, recorded, simulated }: Mismatch): string {
  const location = tick === null ? "" : `tick ${tick}: `;
  return `${location}${field} is ${recorded} in the file, but ${simulated} in the simulation`;
}

const NAME_WIDTH = 17;
const MIN_COLUMN_WIDTH = 12;

const STAT_ROWS: readonly (readonly [string, (stats: FighterStats) => string])[] = [
  ["final HP", ({ hp }) => String(hp)],
  ["damage dealt", ({ damage_dealt }) => String(damage_dealt)],
  ["damage taken", ({ damage_taken }) => String(damage_taken)],
  ["healed", ({ healed }) => String(healed)],
  ["moves, dashes", ({ moves, dashes }) => `${moves}, ${dashes}`],
  ["slams, stunned", ({ wall_slams, stunned }) => `${wall_slams}, ${stunned}`],
  ["pickups h, p", ({ pickups }) => `${pickups.health}, ${pickups.power}`],
  ["refused turns", ({ refused_turns_by_reason: reasonCounts }) => describeCounts(reasonCounts)],
  ["failed turns", ({ server_idles }) => describeCounts(server_idles)],
  [
    "reply p95, max",
    ({ timing }) =>
      timing !== null && timing.max_ms > 0 ? `${timing.p95_ms}, ${timing.max_ms} ms` : "-",
  ],
];

function statsTable({ fighters }: MatchStats): string[] {
  const rows: [label: string, ...cells: string[]][] = [
    ["", ...fighters.map(({ id, name }) => `${id} ${name}`)],
    ...STAT_ROWS.map(([label, cell]): [string, ...string[]] => [label, ...fighters.map(cell)]),
    ...ATTACKS.map((name): [string, ...string[]] => [
      name,
      ...fighters.map(({ weapons }) => describeWeapon(weapons[name])),
    ]),
  ];
  const widths = fighters.map((_, seat) => {
    return Math.max(MIN_COLUMN_WIDTH, ...rows.map((row) => row[seat + 1]?.length ?? 0));
  });
  return rows.map(([label, ...cells]) => {
    const columns = cells.map((cell, seat) => cell.padEnd(widths[seat] ?? 0));
    return `${label.padEnd(NAME_WIDTH)}${columns.join("  ")}`.trimEnd();
  });
}

function describeWeapon({
  uses,
  hits,
  damage,
}: {
  uses: number;
  hits: number;
  damage: number;
}): string {
  return uses === 0 ? "-" : `${hits} of ${uses} hit, ${damage} damage`;
}

function describeCounts(counts: Readonly<Partial<Record<string, number>>>): string {
  const descriptions = Object.entries(counts).map(([reason, count]) => `${count} ${reason}`);
  return descriptions.length === 0 ? "0" : descriptions.join(", ");
}
