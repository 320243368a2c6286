// The summary of a checked replay: its match, its result, a table of its fighters.

import type { Mismatch } from "#core/engine/replay.ts";
import { ATTACKS } from "#core/engine/types.ts";
import type { FighterStats, MatchStats, Replay } from "#core/engine/types.ts";
import { endWords } from "#core/replay/end-words.ts";
import { styled } from "#tools/terminal/color.ts";
import type { Line } from "#tools/terminal/color.ts";

import { versionNote } from "./replay-check.ts";
import type { CheckedReplay } from "./replay-check.ts";

/** Name and version of each fighter, in seat order. */
export function namesOf({ header }: Replay): string[] {
  return header.fighters.map(({ name, version }) => `${name}@${version}`);
}

/** The lines that `bout replay FILE` prints. */
export function summary(checked: CheckedReplay): Line[] {
  const { replay, stats } = checked;
  const { header } = replay;
  const { map, seed, ladder_id: ladder, mode, started, versions } = header;
  const names = namesOf(replay);
  const note = versionNote(header);
  return [
    `match      ${header.match_id} (${mode}, ladder ${ladder}, ${started})`,
    `fight      ${names.join(" against ")} on ${map.name}, seed ${seed}`,
    `versions   engine ${versions.engine}, rules ${versions.rules}, protocol ${versions.protocol}`,
    `result     ${resultWords(replay)}`,
    ["replay     ", ...verdictParts(checked)],
    ...(note === null ? [] : [`note       ${note}`]),
    ...(stats === null ? [] : ["", ...statsTable(stats)]),
  ];
}

function resultWords({ header, result }: Replay): string {
  const { winner, reason, ticks } = result;
  const name = header.fighters.find(({ id }) => id === winner)?.name;
  const who = name === undefined ? "nobody wins" : `${winner} ${name} wins`;
  return `${who} after ${ticks} ticks (${reason}: ${endWords(reason)})`;
}

/** Whether the replay is genuine, as parts of one line. */
export function verdictParts({ mismatch, replay }: CheckedReplay): Exclude<Line, string> {
  if (mismatch !== null) return [styled("MISMATCH", "red", "bold"), `: ${mismatchWords(mismatch)}`];
  return [styled("ok", "green"), `: all ${replay.ticks.length} ticks play again as recorded`];
}

export function mismatchWords({ tick, field, recorded, simulated }: Mismatch): string {
  const where = tick === null ? "" : `tick ${tick}: `;
  return `${where}${field} is ${recorded} in the file, but ${simulated} when played`;
}

const NAME_WIDTH = 17;
const LEAST_COLUMN_WIDTH = 12;

/** Rows of the summary: a label and the cell for each fighter. */
const ROWS: readonly (readonly [string, (stats: FighterStats) => string])[] = [
  ["hp at the end", ({ hp }) => String(hp)],
  ["damage dealt", ({ damage_dealt }) => String(damage_dealt)],
  ["damage taken", ({ damage_taken }) => String(damage_taken)],
  ["healed", ({ healed }) => String(healed)],
  ["moves, dashes", ({ moves, dashes }) => `${moves}, ${dashes}`],
  ["slams, stunned", ({ wall_slams, stunned }) => `${wall_slams}, ${stunned}`],
  ["pickups h, p", ({ pickups }) => `${pickups.health}, ${pickups.power}`],
  ["refused turns", ({ refused_turns_by_reason: by }) => countWords(by)],
  ["failed turns", ({ server_idles }) => countWords(server_idles)],
  [
    "reply p95, max",
    ({ timing }) =>
      timing !== null && timing.max_ms > 0 ? `${timing.p95_ms}, ${timing.max_ms} ms` : "-",
  ],
];

function statsTable({ fighters }: MatchStats): string[] {
  const rows: [label: string, ...cells: string[]][] = [
    ["", ...fighters.map(({ id, name }) => `${id} ${name}`)],
    ...ROWS.map(([label, cell]): [string, ...string[]] => [label, ...fighters.map(cell)]),
    ...ATTACKS.map((name): [string, ...string[]] => [
      name,
      ...fighters.map(({ weapons }) => weaponWords(weapons[name])),
    ]),
  ];
  const widths = fighters.map((_, seat) => {
    return Math.max(LEAST_COLUMN_WIDTH, ...rows.map((row) => row[seat + 1]?.length ?? 0));
  });
  return rows.map(([label, ...cells]) => {
    const columns = cells.map((cell, seat) => cell.padEnd(widths[seat] ?? 0));
    return `${label.padEnd(NAME_WIDTH)}${columns.join("  ")}`.trimEnd();
  });
}

function weaponWords({
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

function countWords(counts: Readonly<Partial<Record<string, number>>>): string {
  const words = Object.entries(counts).map(([reason, count]) => `${count} ${reason}`);
  return words.length === 0 ? "0" : words.join(", ");
}
