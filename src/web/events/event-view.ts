// Events as everybody and operators see them.

import type { EventDefinition } from "#core/events/event.ts";
import { eventPhase } from "#core/events/event.ts";
import { missingFlags } from "#core/events/flag.ts";
import {
  approvedOpponents,
  earningObstacle,
  lacks,
  unavailableOpponents,
} from "#core/events/readiness.ts";
import type { EventSurroundings } from "#core/events/readiness.ts";
import { hasSeasons, PUBLIC } from "#core/ladder/ladder.ts";
import type { LadderDefinition } from "#core/ladder/ladder.ts";
import type { AdminEvent, EventView } from "#core/resources/event.ts";
import { HOUSE_BOTS } from "#core/words/house.ts";
import type { HouseKind } from "#core/words/house.ts";
import type { AccountId } from "#core/words/ids.ts";
import type { ApiDeps } from "#web/http/deps.ts";

import { liveRequests } from "./live-requests.ts";

/** What an event depends on besides itself. */
type Around = Pick<ApiDeps, "accounts" | "flags" | "clock"> & {
  ladders: Pick<ApiDeps["ladders"], "byId">;
  arena: Pick<ApiDeps["arena"], "online">;
};

/** The ladder of an event; it is there as long as the event. */
export const ladderOfEvent = (
  { ladders }: Pick<Around, "ladders">,
  { ladderId }: EventDefinition,
): LadderDefinition => ladders.byId(ladderId) ?? { ...PUBLIC, id: ladderId, enabled: false };

/** What the event is measured by at this moment. */
export function around(deps: Around, event: EventDefinition): EventSurroundings {
  const { accounts, flags } = deps;
  return {
    ladder: ladderOfEvent(deps, event),
    running: runningLabels(deps),
    hasAccounts: accounts !== null,
    flagsMissing: missingFlags(flags, event),
  };
}

/** A house bot runs as the same version on every ladder. */
function runningLabels({ arena }: Pick<Around, "arena">): Map<HouseKind, string> {
  const running = new Map<HouseKind, string>();
  for (const { house, name, version } of arena.online()) {
    const kind = HOUSE_BOTS.find((bot) => bot.name === name)?.short;
    if (house && kind !== undefined && version !== null) running.set(kind, version);
  }
  return running;
}

export function eventView(deps: Around, event: EventDefinition): EventView {
  const { id, name, description, timezone, metadata, image, revision, enabled } = event;
  const surroundings = around(deps, event);
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
    ready: lacks(event, surroundings).length === 0,
    unavailable_opponents: unavailableOpponents(event, surroundings),
    approved_opponents: approvedOpponents(event),
    conditions: event.achievements.map((achievement) => ({ ...achievement })),
  };
}

export async function adminEvent(deps: ApiDeps, event: EventDefinition): Promise<AdminEvent> {
  const { flagsMissing } = around(deps, event);
  const instant = deps.clock().toISOString();
  return {
    ...eventView(deps, event),
    image_upload_available: await deps.images.isAvailable(),
    flags_configured: flagsMissing.length === 0,
    flags_missing: [...flagsMissing],
    earning_unavailable: earningObstacle(event, ladderOfEvent(deps, event), instant),
    counts: await countsOf(deps, event),
    approved_versions: { ...event.approved },
  };
}

async function countsOf(deps: ApiDeps, event: EventDefinition): Promise<AdminEvent["counts"]> {
  const { store } = deps;
  const [members, participants, tallies, pending] = await Promise.all([
    membersOf(deps, event),
    store.progress.participants(event),
    store.awards.tallies([event.id]),
    store.requests.pending(),
  ]);
  const requests = await liveRequests(
    deps,
    pending.filter(({ eventId }) => eventId === event.id),
  );
  const sum = (name: "earned" | "revoked") => tallies.reduce((all, row) => all + row[name], 0);
  return {
    members,
    participants,
    earned: sum("earned") - sum("revoked"),
    revoked: sum("revoked"),
    requests: requests.length,
  };
}

/** On public everybody with an account is one. */
async function membersOf({ store }: ApiDeps, { ladderId }: EventDefinition): Promise<number> {
  if (hasSeasons(ladderId)) return (await store.accounts.list({ text: null, limit: 1 })).total;
  const counts = await store.members.counts();
  const active = counts.find((one) => one.ladderId === ladderId && one.state === "active");
  return active?.accounts ?? 0;
}

type Membership = "pending" | "active" | "revoked" | null;

/** How an account stands to the event's ladder at present. */
export async function membershipIn(
  { store }: Pick<ApiDeps, "store">,
  { ladderId }: EventDefinition,
  accountId: AccountId,
): Promise<Membership> {
  if (hasSeasons(ladderId)) return "active";
  const rows = await store.members.ofAccount(accountId);
  return rows.find((row) => row.ladderId === ladderId && row.until === null)?.state ?? null;
}
