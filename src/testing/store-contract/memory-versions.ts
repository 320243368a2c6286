import { utcDayOf } from "#base/util/time.ts";
import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import type { BotId, LadderId, VersionId } from "#core/ids/ids.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { StoreError } from "#data/store/errors.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";
import type {
  AddVersionOutcome,
  VersionDailyLimit,
  VersionPage,
  VersionRecord,
} from "#data/store/version.ts";

type DailyCreationMemory = { dailyCreations: Map<string, { day: string; created: number }> };

type VersionContext = DailyCreationMemory & {
  bots: Map<string, BotRecord>;
  versions: Map<string, VersionRecord>;
  matches: Map<string, FinishedMatch>;
};

export function versionMethods(memory: VersionContext): Store["versions"] {
  return {
    add: async (version, dailyLimit) => addVersion(memory, version, dailyLimit),
    retire: async (botId, label) => {
      const version = versionNamed(memory, botId, label);
      if (version === undefined) return null;
      const outcome = version.retired ? "was_retired" : "retired";
      version.retired = true;
      return { outcome, version: { ...version } };
    },
    byLabel: async (botId, label) => copyOrNull(versionNamed(memory, botId, label)),
    byIds: async (ids) =>
      [...new Set(ids)].flatMap((id) => {
        const { notes: _, ...version } = memory.versions.get(id) ?? {};
        return "id" in version ? [version] : [];
      }),
    list: async (botId, page) => versionsOf(memory, botId, page),
    latest: async (botId, limit, included) => latestVersions(memory, botId, limit, included),
    current: async (botId, ladderId) => currentVersion(memory, botId, ladderId),
  };
}

function versionNamed({ versions }: VersionContext, botId: BotId, label: string) {
  return versions
    .values()
    .find((candidate) => candidate.botId === botId && candidate.label === label);
}

function addVersion(
  memory: VersionContext,
  version: VersionRecord,
  dailyLimit: VersionDailyLimit | null,
): AddVersionOutcome {
  const existing = versionNamed(memory, version.botId, version.label);
  if (existing) return { outcome: "exists", version: { ...existing } };
  const recentVersions = [...memory.versions.values()].filter(
    (candidate) =>
      candidate.botId === version.botId && candidate.created >= (dailyLimit?.since ?? ""),
  );
  if (dailyLimit && recentVersions.length >= dailyLimit.count) return { outcome: "limit" };
  const bot = memory.bots.get(version.botId);
  if (bot === undefined) throw new StoreError("missing_reference", "no such bot");
  const [accountId, bytes] = [accountIdOfOwner(bot.ownerId), Buffer.byteLength(version.notes)];
  if (bytes > 0 && accountId !== null)
    if (!countCreationInMemory(memory, accountId, "notes_byte", version.created, bytes))
      return { outcome: "notes_limit" };
  memory.versions.set(version.id, { ...version });
  return { outcome: "added", version };
}

const creationKey = ({ created, id }: VersionRecord) => `${created} ${id}`;

function newestFirst({ versions }: VersionContext, botId: BotId): VersionRecord[] {
  return [...versions.values()]
    .filter((candidate) => candidate.botId === botId)
    .toSorted((a, b) => (creationKey(a) > creationKey(b) ? -1 : 1))
    .map((candidate) => ({ ...candidate }));
}

function versionsOf(memory: VersionContext, botId: BotId, { before, limit }: VersionPage) {
  const cursor = before === undefined ? undefined : versionNamed(memory, botId, before);
  if (before !== undefined && cursor === undefined) return null;
  return newestFirst(memory, botId)
    .filter((candidate) => cursor === undefined || creationKey(candidate) < creationKey(cursor))
    .slice(0, limit);
}

function latestVersions(
  memory: VersionContext,
  botId: BotId,
  limit: number,
  included: readonly string[],
) {
  const allVersions = newestFirst(memory, botId);
  const sortKey = (candidate: VersionRecord) => {
    const lastEnd = matchesOf(memory, candidate.id).map(({ ended }) => ended);
    return `${Number(included.includes(candidate.id))} ${[...lastEnd, candidate.created].toSorted().at(-1)} ${candidate.id}`;
  };
  const versions = allVersions
    .toSorted((a, b) => (sortKey(a) > sortKey(b) ? -1 : 1))
    .slice(0, limit)
    .toSorted((a, b) => (creationKey(a) < creationKey(b) ? -1 : 1));
  return { versions, total: allVersions.length };
}

function currentVersion(
  memory: VersionContext,
  botId: BotId,
  ladderId: LadderId,
): VersionRecord | null {
  const activeVersions = newestFirst(memory, botId).filter(({ retired }) => !retired);
  const lastRatedEnd = ({ id }: VersionRecord) =>
    matchesOf(memory, id)
      .filter((match) => match.ladderId === ladderId && match.rated && !match.voided)
      .map((match) => `${match.ended} ${match.id}`)
      .toSorted()
      .at(-1) ?? "";
  const [last] = activeVersions.toSorted((a, b) => (lastRatedEnd(a) > lastRatedEnd(b) ? -1 : 1));
  return last !== undefined && lastRatedEnd(last) !== "" ? last : (activeVersions[0] ?? null);
}

function matchesOf({ matches }: VersionContext, versionId: VersionId): FinishedMatch[] {
  const ranked = matches.values().filter(({ mode }) => mode === "ranked");
  return [...ranked].filter(({ seats }) => seats.some((seat) => seat.versionId === versionId));
}

const copyOrNull = <T extends object>(value: T | undefined): T | null =>
  value ? { ...value } : null;

const DAILY_LIMITS = {
  agent_key: FIXED_LIMITS.agent_keys_per_day,
  bot: FIXED_LIMITS.new_bots_per_day,
  notes_byte: FIXED_LIMITS.version_notes_bytes_per_day,
  rename: FIXED_LIMITS.renames_per_day,
  token: FIXED_LIMITS.new_tokens_per_day,
} as const;

export function countCreationInMemory(
  { dailyCreations }: DailyCreationMemory,
  accountId: string,
  kind: keyof typeof DAILY_LIMITS,
  at: string,
  amount = 1,
): boolean {
  const [key, day] = [`${accountId} ${kind}`, utcDayOf(at)];
  const before = dailyCreations.get(key);
  const created = amount + (before?.day === day ? before.created : 0);
  if (created > DAILY_LIMITS[kind]) return false;
  dailyCreations.set(key, { day, created });
  return true;
}
