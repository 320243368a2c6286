// The parameters of a simulated run: the seed and a few sizes.

import type { Character } from "#testing/actors/behaviour.ts";

export const FAULTS = [
  "cut",
  "half_open",
  "lag",
  "store_unavailable",
  "store_full",
  "store_slow",
  "disk",
  "stall",
  "kill",
  "clock_ahead",
  "clock_back",
  "ladder_disabled",
] as const;
export type FaultKind = (typeof FAULTS)[number];

/** usual: those of the service. tight: tight enough to hold bots back. drawn: either. */
export const LIMIT_MOODS = ["drawn", "usual", "tight"] as const;

/** several: public and others that share its players, some of whom have accounts. */
export const LADDER_CHOICES = ["several", "public"] as const;

export type SimulationOptions = {
  seed: number;
  days: number;
  /** All bots, including the four of the house. */
  bots: number;
  /** One match in this many is fought by the engine; Infinity for none. */
  fought: number;
  faults: readonly FaultKind[];
  /** How the players' bots behave: individually drawn, or all alike. */
  manners: "mixed" | Character;
  limits: (typeof LIMIT_MOODS)[number];
  ladders: (typeof LADDER_CHOICES)[number];
  /** The first instant, UTC. */
  start: string;
};

/** A month ends within the run. */
export const DEFAULTS: Omit<SimulationOptions, "seed"> = {
  days: 3,
  bots: 40,
  fought: 200,
  faults: FAULTS,
  manners: "mixed",
  limits: "drawn",
  ladders: "several",
  start: "2026-01-30T00:00:00.000Z",
};

/** The command that repeats the run. */
export function commandOf(options: SimulationOptions): string {
  const { seed, days, bots, fought, faults, manners, limits, ladders, start } = options;
  const flags = [
    days !== DEFAULTS.days && `--days ${days}`,
    bots !== DEFAULTS.bots && `--bots ${bots}`,
    fought !== DEFAULTS.fought && `--fought ${foughtText(fought)}`,
    faults.length !== FAULTS.length && `--faults ${faults.join(",") || "none"}`,
    manners !== DEFAULTS.manners && `--manners ${manners}`,
    limits !== DEFAULTS.limits && `--limits ${limits}`,
    ladders !== DEFAULTS.ladders && `--ladders ${ladders}`,
    start !== DEFAULTS.start && `--start ${start}`,
  ].filter((flag) => flag !== false);
  return ["npm run simulate --", seed, ...flags].join(" ");
}

function foughtText(fought: number): string {
  if (fought === 1) return "all";
  return fought === Infinity ? "none" : String(fought);
}
