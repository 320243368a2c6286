import type { AdminEvent, EventView } from "#core/api/event.ts";
import { missingFlags } from "#core/events/achievement-flags.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { eventPhase } from "#core/events/event.ts";
import {
  approvedOpponents,
  earningObstacle,
  missingRequirements,
  unavailableOpponents,
} from "#core/events/readiness.ts";
import type { EventEnvironment } from "#core/events/readiness.ts";
import { HOUSE_BOTS } from "#core/ids/house-bots.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import type { AccountId } from "#core/ids/ids.ts";
import { hasSeasons, PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import { activeRequests } from "./active-requests.ts";

type EventViewDeps = Pick<ApiDeps, "accounts" | "flags" | "clock"> & {
  ladders: Pick<ApiDeps["ladders"], "byId">;
  arena: Pick<ApiDeps["arena"], "onlineBots">;
};

/**
 * Returns the event's ladder. Ladders can't be deleted before their events, so the placeholder is
 * only a fallback.
 */
export const eventLadder = (
  { ladders }: Pick<EventViewDeps, "ladders">,
  { ladderId }: EventDefinition,
): LadderDefinition => ladders.byId(ladderId) ?? { ...PUBLIC_LADDER, id: ladderId, enabled: false };

/** Returns the data against which an event's requirements are checked. */
export function eventContext(deps: EventViewDeps, event: EventDefinition): EventEnvironment {
  const { accounts, flags } = deps;
  return {
    ladder: eventLadder(deps, event),
    running: runningLabels(deps),
    hasAccounts: accounts !== null,
    flagsMissing: missingFlags(flags, event),
  };
}

/** A house bot runs the same version on every ladder. */
function runningLabels({ arena }: Pick<EventViewDeps, "arena">): Map<HouseKind, string> {
  const runningVersions = new Map<HouseKind, string>();
  for (const { house, name, version } of arena.onlineBots()) {
    const kind = HOUSE_BOTS.find((bot) => bot.name === name)?.short;
    if (house && kind !== undefined && version !== null) runningVersions.set(kind, version);
  }
  return runningVersions;
}

export function eventView(deps: EventViewDeps, event: EventDefinition): EventView {
  const { id, name, description, timezone, metadata, image, revision, enabled } = event;
  const context = eventContext(deps, event);
  return {
    id,
    ladder_id: event.ladderId,
    name,
    description,
    opens_at: event.opensAt,
    closes_at: event.closesAt,
    timezone,
    metadata,
    image: image && {
      url: `/images/${image.hash}.webp`,
      alt: image.alt,
      width: image.width,
      height: image.height,
    },
    submission_url: event.submissionUrl,
    submission_instructions: event.submissionInstructions,
    flag_mode: event.flagMode,
    revision,
    enabled,
    phase: eventPhase(event, deps.clock().toISOString()),
    ready: missingRequirements(event, context).length === 0,
    unavailable_opponents: unavailableOpponents(event, context),
    approved_opponents: approvedOpponents(event),
    conditions: event.achievements.map((achievement) => ({ ...achievement })),
  };
}

export async function adminEvent(deps: ApiDeps, event: EventDefinition): Promise<AdminEvent> {
  const { flagsMissing } = eventContext(deps, event);
  const instant = deps.clock().toISOString();
  return {
    ...eventView(deps, event),
    image_upload_available: await deps.images.isAvailable(),
    flags_configured: flagsMissing.length === 0,
    flags_missing: [...flagsMissing],
    earning_unavailable: earningObstacle(event, eventLadder(deps, event), instant),
    counts: await countsOf(deps, event),
    approved_versions: { ...event.approved },
  };
}

async function countsOf(deps: ApiDeps, event: EventDefinition): Promise<AdminEvent["counts"]> {
  const { store } = deps;
  const [members, participants, tallies, pending] = await Promise.all([
    countMembers(deps, event),
    store.progress.participants(event),
    store.awards.tallies([event.id]),
    store.requests.pending(),
  ]);
  const requests = await activeRequests(
    deps,
    pending.filter(({ eventId }) => eventId === event.id),
  );
  const sum = (name: "earned" | "revoked") => tallies.reduce((total, row) => total + row[name], 0);
  return {
    members,
    participants,
    earned: sum("earned") - sum("revoked"),
    revoked: sum("revoked"),
    requests: requests.length,
  };
}

/** On public, counts all accounts, because every account is a member. */
async function countMembers({ store }: ApiDeps, { ladderId }: EventDefinition): Promise<number> {
  if (hasSeasons(ladderId)) return (await store.accounts.list({ text: null, limit: 1 })).total;
  const counts = await store.members.counts();
  const active = counts.find((item) => item.ladderId === ladderId && item.state === "active");
  return active?.accounts ?? 0;
}

type Membership = "pending" | "active" | "revoked" | null;

export async function eventMembership(
  { store }: Pick<ApiDeps, "store">,
  { ladderId }: EventDefinition,
  accountId: AccountId,
): Promise<Membership> {
  if (hasSeasons(ladderId)) return "active";
  const rows = await store.members.listByAccount(accountId);
  return rows.find((row) => row.ladderId === ladderId && row.until === null)?.state ?? null;
}
