import type { Character } from "#testing/actors/behaviour.ts";

export const FAULT_KINDS = [
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
export type FaultKind = (typeof FAULT_KINDS)[number];

/**
 * `usual`: the service's limits. `tight`: limits that make bots wait. `drawn`: either of these,
 * chosen at random.
 */
export const LIMIT_MODES = ["drawn", "usual", "tight"] as const;

/**
 * `several`: the public ladder and other ladders. They share players, some of whom have accounts.
 */
export const LADDER_CHOICES = ["several", "public"] as const;

export type SimulationOptions = {
  seed: number;
  days: number;
  /** Includes the four house bots. */
  bots: number;
  /** The engine simulates one in this many matches; Infinity for none. */
  fought: number;
  faults: readonly FaultKind[];
  /** Misbehaviour of players' bots: drawn for each bot, or the same for all. */
  manners: "mixed" | Character;
  limits: (typeof LIMIT_MODES)[number];
  ladders: (typeof LADDER_CHOICES)[number];
  start: string;
};

/** With the defaults, a month ends during the run. */
export const DEFAULT_SIMULATION_OPTIONS: Omit<SimulationOptions, "seed"> = {
  days: 3,
  bots: 40,
  fought: 200,
  faults: FAULT_KINDS,
  manners: "mixed",
  limits: "drawn",
  ladders: "several",
  start: "2026-01-30T00:00:00.000Z",
};

export function formatSimulationCommand(options: SimulationOptions): string {
  const { seed, days, bots, fought, faults, manners, limits, ladders, start } = options;
  const flags = [
    days !== DEFAULT_SIMULATION_OPTIONS.days && `--days ${days}`,
    bots !== DEFAULT_SIMULATION_OPTIONS.bots && `--bots ${bots}`,
    fought !== DEFAULT_SIMULATION_OPTIONS.fought && `--fought ${formatFought(fought)}`,
    faults.length !== FAULT_KINDS.length && `--faults ${faults.join(",") || "none"}`,
    manners !== DEFAULT_SIMULATION_OPTIONS.manners && `--manners ${manners}`,
    limits !== DEFAULT_SIMULATION_OPTIONS.limits && `--limits ${limits}`,
    ladders !== DEFAULT_SIMULATION_OPTIONS.ladders && `--ladders ${ladders}`,
    start !== DEFAULT_SIMULATION_OPTIONS.start && `--start ${start}`,
  ].filter((flag) => flag !== false);
  return ["npm run simulate --", seed, ...flags].join(" ");
}

function formatFought(fought: number): string {
  if (fought === 1) return "all";
  return fought === Infinity ? "none" : String(fought);
}
