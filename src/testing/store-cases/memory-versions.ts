// Versions of bots, over plain maps.

import { dayOf } from "#base/units/time.ts";
import { accountOf } from "#core/accounts/name.ts";
import type { BotId, LadderId, VersionId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { StoreError } from "#data/store/errors.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import type {
  AddVersionOutcome,
  DayLimit,
  VersionPage,
  VersionRecord,
} from "#data/store/version.ts";

type DailyFacts = { dailyCreations: Map<string, { day: string; created: number }> };

type Facts = DailyFacts & {
  bots: Map<string, BotRecord>;
  versions: Map<string, VersionRecord>;
  matches: Map<string, FinishedMatch>;
};

export function versionMethods(facts: Facts): Store["versions"] {
  return {
    add: async (version, dayLimit) => addVersion(facts, version, dayLimit),
    retire: async (botId, label) => {
      const version = versionNamed(facts, botId, label);
      if (version === undefined) return null;
      const outcome = version.retired ? "was_retired" : "retired";
      version.retired = true;
      return { outcome, version: { ...version } };
    },
    byLabel: async (botId, label) => copy(versionNamed(facts, botId, label)),
    byIds: async (ids) =>
      [...new Set(ids)].flatMap((id) => {
        const { notes: _, ...version } = facts.versions.get(id) ?? {};
        return "id" in version ? [version] : [];
      }),
    list: async (botId, page) => versionsOf(facts, botId, page),
    latest: async (botId, most, always) => latestVersions(facts, botId, most, always),
    current: async (botId, ladderId) => currentVersion(facts, botId, ladderId),
  };
}

function versionNamed({ versions }: Facts, botId: BotId, label: string) {
  return versions.values().find((own) => own.botId === botId && own.label === label);
}

function addVersion(
  facts: Facts,
  version: VersionRecord,
  dayLimit: DayLimit | null,
): AddVersionOutcome {
  const present = versionNamed(facts, version.botId, version.label);
  if (present) return { outcome: "exists", version: { ...present } };
  const made = [...facts.versions.values()].filter(
    (own) => own.botId === version.botId && own.created >= (dayLimit?.since ?? ""),
  );
  if (dayLimit && made.length >= dayLimit.count) return { outcome: "limit" };
  const bot = facts.bots.get(version.botId);
  if (bot === undefined) throw new StoreError("missing_reference", "no such bot");
  const [accountId, bytes] = [accountOf(bot.ownerId), Buffer.byteLength(version.notes)];
  if (bytes > 0 && accountId !== null)
    if (!countCreation(facts, accountId, "notes_byte", version.created, bytes))
      return { outcome: "notes_limit" };
  facts.versions.set(version.id, { ...version });
  return { outcome: "added", version };
}

const ageKey = ({ created, id }: VersionRecord) => `${created} ${id}`;

function newestFirst({ versions }: Facts, botId: BotId): VersionRecord[] {
  return [...versions.values()]
    .filter((own) => own.botId === botId)
    .toSorted((one, other) => (ageKey(one) > ageKey(other) ? -1 : 1))
    .map((own) => ({ ...own }));
}

function versionsOf(facts: Facts, botId: BotId, { before, limit }: VersionPage) {
  const cursor = before === undefined ? undefined : versionNamed(facts, botId, before);
  if (before !== undefined && cursor === undefined) return null;
  return newestFirst(facts, botId)
    .filter((own) => cursor === undefined || ageKey(own) < ageKey(cursor))
    .slice(0, limit);
}

function latestVersions(facts: Facts, botId: BotId, most: number, always: readonly string[]) {
  const all = newestFirst(facts, botId);
  const rank = (own: VersionRecord) => {
    const ends = matchesOf(facts, own.id).map(({ ended }) => ended);
    return `${Number(always.includes(own.id))} ${[...ends, own.created].toSorted().at(-1)} ${own.id}`;
  };
  const versions = all
    .toSorted((one, other) => (rank(one) > rank(other) ? -1 : 1))
    .slice(0, most)
    .toSorted((one, other) => (ageKey(one) < ageKey(other) ? -1 : 1));
  return { versions, total: all.length };
}

function currentVersion(facts: Facts, botId: BotId, ladderId: LadderId): VersionRecord | null {
  const live = newestFirst(facts, botId).filter(({ retired }) => !retired);
  const lastOf = ({ id }: VersionRecord) =>
    matchesOf(facts, id)
      .filter((match) => match.ladderId === ladderId && match.rated && !match.voided)
      .map((match) => `${match.ended} ${match.id}`)
      .toSorted()
      .at(-1) ?? "";
  const [last] = live.toSorted((one, other) => (lastOf(one) > lastOf(other) ? -1 : 1));
  return last !== undefined && lastOf(last) !== "" ? last : (live[0] ?? null);
}

function matchesOf({ matches }: Facts, versionId: VersionId): FinishedMatch[] {
  const ranked = matches.values().filter(({ mode }) => mode === "ranked");
  return [...ranked].filter(({ seats }) => seats.some((seat) => seat.versionId === versionId));
}

const copy = <T extends object>(value: T | undefined): T | null => (value ? { ...value } : null);

const MOST_CREATED = {
  agent_key: FIXED.agent_keys_per_day,
  bot: FIXED.new_bots_per_day,
  notes_byte: FIXED.version_notes_bytes_per_day,
  rename: FIXED.renames_per_day,
  token: FIXED.new_tokens_per_day,
} as const;

export function countCreation(
  { dailyCreations }: DailyFacts,
  accountId: string,
  kind: keyof typeof MOST_CREATED,
  at: string,
  more = 1,
): boolean {
  const [key, day] = [`${accountId} ${kind}`, dayOf(at)];
  const before = dailyCreations.get(key);
  const created = more + (before?.day === day ? before.created : 0);
  if (created > MOST_CREATED[kind]) return false;
  dailyCreations.set(key, { day, created });
  return true;
}
