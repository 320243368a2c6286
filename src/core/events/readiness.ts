// Event readiness: what an event needs before it's enabled, and what blocks it afterwards.

import { HOUSE_KINDS } from "#core/ids/house-bots.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import { phaseAt } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";

import { eventPhase } from "./event.ts";
import type { EventDefinition } from "./event.ts";

export type EventEnvironment = {
  ladder: Pick<LadderDefinition, "house" | "enabled" | "opensAt" | "closesAt">;
  /** Versions of the house bots running on this server, by short name. */
  running: ReadonlyMap<HouseKind, string>;
  hasAccounts: boolean;
  flagsMissing: readonly string[];
};

type ApprovedVersions = Pick<EventDefinition, "approved">;

export const approvedOpponents = ({ approved }: ApprovedVersions): HouseKind[] =>
  HOUSE_KINDS.filter((kind) => approved[kind] !== undefined);

export const isApproved = (
  { approved }: ApprovedVersions,
  kind: HouseKind,
  label: string,
): boolean => approved[kind] === label;

/**
 * Returns the house bots that can't be requested: not approved, not on the ladder, or running
 * another version.
 */
export const unavailableOpponents = (
  event: ApprovedVersions,
  { ladder, running }: Pick<EventEnvironment, "ladder" | "running">,
): HouseKind[] =>
  HOUSE_KINDS.filter((kind) => {
    const label = running.get(kind);
    return label === undefined || !ladder.house.includes(kind) || !isApproved(event, kind, label);
  });

/** Returns the missing requirements as text for operators. Empty if the event is ready. */
export function missingRequirements(
  event: ApprovedVersions,
  environment: EventEnvironment,
): string[] {
  const { ladder, running, hasAccounts, flagsMissing } = environment;
  const missingForOpponent = (kind: HouseKind) =>
    opponentIssues(kind, event.approved[kind], ladder, running.get(kind));
  return [
    ...(hasAccounts ? [] : ["the server runs without accounts"]),
    ...HOUSE_KINDS.flatMap(missingForOpponent),
    ...flagsMissing.map(missingFlagText),
  ];
}

export const missingFlagText = (id: string) => `the flag of ${id} is missing`;

function opponentIssues(
  kind: HouseKind,
  approved: string | undefined,
  { house }: Pick<LadderDefinition, "house">,
  running: string | undefined,
): string[] {
  if (approved === undefined) return [`no version of ${kind} is approved`];
  if (!house.includes(kind)) return [`${kind} is not on the ladder`];
  if (running === undefined) return [`${kind} is not running`];
  return running === approved
    ? []
    : [`${kind} runs version ${running}, but ${approved} is approved`];
}

export const EARNING_OBSTACLES = ["disabled", "upcoming", "closed", "ladder_closed"] as const;
export type EarningObstacle = (typeof EARNING_OBSTACLES)[number];

/**
 * Returns why no achievement can be earned at a UTC instant, or null if achievements can be earned.
 */
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
