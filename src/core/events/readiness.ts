// What an event needs before it can be enabled, and what keeps it from working once it is.

import { phaseAt } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import { HOUSE_KINDS } from "#core/words/house.ts";
import type { HouseKind } from "#core/words/house.ts";

import { eventPhase } from "./event.ts";
import type { EventDefinition } from "./event.ts";

/** What an event is measured by. */
export type EventSurroundings = {
  ladder: Pick<LadderDefinition, "house" | "enabled" | "opensAt" | "closesAt">;
  /** Version labels with which house bots run on this server, by short name. */
  running: ReadonlyMap<HouseKind, string>;
  /** Whether the server has accounts. */
  hasAccounts: boolean;
  /** Ids of the achievements whose flags are nowhere. */
  flagsMissing: readonly string[];
};

type Approved = Pick<EventDefinition, "approved">;

/** House bots whose play an operator approved for the event. */
export const approvedOpponents = ({ approved }: Approved): HouseKind[] =>
  HOUSE_KINDS.filter((kind) => approved[kind] !== undefined);

/** Whether a house bot may serve a request of the event with this version. */
export const isApproved = ({ approved }: Approved, kind: HouseKind, label: string): boolean =>
  approved[kind] === label;

/** House bots that cannot be asked for: not approved, not on the ladder, or not as approved. */
export const unavailableOpponents = (
  event: Approved,
  { ladder, running }: Pick<EventSurroundings, "ladder" | "running">,
): HouseKind[] =>
  HOUSE_KINDS.filter((kind) => {
    const label = running.get(kind);
    return label === undefined || !ladder.house.includes(kind) || !isApproved(event, kind, label);
  });

/** What an event lacks, in words for an operator; empty when it is ready. */
export function lacks(event: Approved, around: EventSurroundings): string[] {
  const { ladder, running, hasAccounts, flagsMissing } = around;
  const of = (kind: HouseKind) => lackOf(kind, event.approved[kind], ladder, running.get(kind));
  return [
    ...(hasAccounts ? [] : ["the server runs without accounts"]),
    ...HOUSE_KINDS.flatMap(of),
    ...flagsMissing.map(noFlagOf),
  ];
}

/** About an achievement. */
export const noFlagOf = (id: string) => `the flag of ${id} is missing`;

function lackOf(
  kind: HouseKind,
  approved: string | undefined,
  { house }: Pick<LadderDefinition, "house">,
  running: string | undefined,
): string[] {
  if (approved === undefined) return [`no version of ${kind} is approved`];
  if (!house.includes(kind)) return [`${kind} does not play on the ladder`];
  if (running === undefined) return [`${kind} is not running`];
  return running === approved ? [] : [`${kind} runs as ${running}, and ${approved} is approved`];
}

export const EARNING_OBSTACLES = ["disabled", "upcoming", "closed", "ladder_closed"] as const;
export type EarningObstacle = (typeof EARNING_OBSTACLES)[number];

/** Why nothing can be earned at a UTC instant; null when it can. */
export function earningObstacle(
  event: EventDefinition,
  ladder: Pick<LadderDefinition, "enabled" | "opensAt" | "closesAt">,
  instant: string,
): EarningObstacle | null {
  if (!event.enabled) return "disabled";
  const phase = eventPhase(event, instant);
  if (phase !== "open") return phase;
  return ladder.enabled && phaseAt(ladder, instant) === "open" ? null : "ladder_closed";
}
