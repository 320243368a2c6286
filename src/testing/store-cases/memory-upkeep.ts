// Turns by version, kept replays and the audit, over plain maps.

import { seatFigures } from "#core/ladder/seat-figures.ts";
import { sumOfTurns } from "#core/ladder/version-health.ts";
import type { BotId, LadderId, MatchId, VersionId } from "#core/words/ids.ts";
import type { AuditEntry, AuditMatch, AuditPlace } from "#data/store/audit.ts";
import type { FinishedMatch } from "#data/store/match.ts";
import type { Store } from "#data/store/store.ts";

import { note } from "./memory-owned.ts";
import { pinMethods } from "./memory-pins.ts";
import type { PinFacts } from "./memory-pins.ts";

export type UpkeepFacts = {
  /** Match and keeper of each replay that was released. */
  released: Set<string>;
  /** Ladders that keep replays of their own. */
  held: Set<LadderId>;
};

type Facts = UpkeepFacts &
  PinFacts & { accounts: ReadonlyMap<string, unknown>; matches: Map<string, FinishedMatch> };

export function turnMethods(facts: Facts): Pick<Store["figures"], "turns" | "carryTurns"> {
  return {
    turns: async (versionIds, window) =>
      versionIds.flatMap((versionId) => {
        const sum = sumOfTurns(turnsOf(facts, versionId).slice(0, window));
        return sum === null ? [] : [{ versionId, ...sum }];
      }),
    carryTurns: async () => 0,
  };
}

export function replayMethods(facts: Facts): Store["replays"] {
  const has = (id: MatchId) => isKept(facts, id);
  return {
    has: async (id) => has(id),
    ids: async () => [...facts.matches.keys()].filter(has),
    beyond: async (keeping) => {
      const ids =
        "casual" in keeping
          ? beyond(facts, CASUAL, keeping.casual)
          : "held" in keeping
            ? [...facts.held].flatMap((ladderId) => {
                const bound = keeping.held.find((one) => one.ladderId === ladderId);
                return beyond(facts, ladderId, bound?.keep ?? 0);
              })
            : keeping.botIds.flatMap((botId) => beyond(facts, botId, keeping.keep));
      return ids.map((matchId) => ({ matchId, keepers: keepersNow(facts, matchId) }));
    },
    release: async (botIds, keep, most) => {
      const beyond = botIds.map((botId) => release(facts, botId, keep, most));
      const isDone = beyond.every((ids) => ids.length < most);
      return { gone: [...new Set(beyond.flat())].filter((id) => !has(id)), isDone };
    },
    hold: async (held, most) => {
      const bounds = new Map(held.map(({ ladderId, keep }) => [ladderId, keep]));
      for (const ladderId of bounds.keys()) if (!facts.held.has(ladderId)) begin(facts, ladderId);
      const beyond = [...facts.held].map((ladderId) => {
        const ids = release(facts, ladderId, bounds.get(ladderId) ?? 0, most);
        if (!bounds.has(ladderId) && ids.length < most) end(facts, ladderId);
        return ids;
      });
      const isDone = beyond.every((ids) => ids.length < most);
      return { gone: beyond.flat().filter((id) => !has(id)), isDone };
    },
    releaseCasual: async (keep, most) => {
      const gone = release(facts, CASUAL, keep, most);
      return { gone: gone.filter((id) => !has(id)), isDone: gone.length < most };
    },
    ...pinMethods(facts, has),
  };
}

const ageKey = ({ ended, id }: FinishedMatch) => `${ended} ${id}`;

function newestFirst(matches: Iterable<FinishedMatch>): FinishedMatch[] {
  return [...matches].toSorted((a, b) => (ageKey(a) < ageKey(b) ? 1 : -1));
}

function turnsOf({ matches }: Facts, versionId: VersionId) {
  return newestFirst(matches.values())
    .flatMap(({ stats, mode, voided, seats }) => {
      const seat = seats.findIndex((one) => one.versionId === versionId);
      return mode !== "ranked" || voided || seat === -1
        ? []
        : seatFigures(stats).slice(seat, seat + 1);
    })
    .map(({ turns }) => turns);
}

/** Keeper of the replays of human and practice games. */
const CASUAL = "casual";

function keepersOf({ held }: Facts, { mode, seats, ladderId }: FinishedMatch) {
  if (mode !== "ranked") return [CASUAL];
  return [...seats.map(({ botId }) => botId), ...(held.has(ladderId) ? [ladderId] : [])];
}

function isKept(facts: Facts, id: string): boolean {
  const match = facts.matches.get(id);
  if (match === undefined) return false;
  if (facts.pins.some(({ matchId }) => matchId === id)) return true;
  return keepersOf(facts, match).some((one) => !facts.released.has(`${id} ${one}`));
}

/** A ladder cannot keep what nobody else keeps any longer, nor anything older. */
function begin(facts: Facts, ladderId: LadderId): void {
  const played = newestFirst(facts.matches.values()).filter((one) => one.ladderId === ladderId);
  const gone = played.findIndex(({ id, mode }) => mode === "ranked" && !isKept(facts, id));
  facts.held.add(ladderId);
  for (const { id } of gone === -1 ? [] : played.slice(gone))
    facts.released.add(`${id} ${ladderId}`);
}

function end({ matches, released, held }: Facts, ladderId: LadderId): void {
  held.delete(ladderId);
  for (const id of matches.keys()) released.delete(`${id} ${ladderId}`);
}

/** The keeper is a bot, a ladder, or that of casual games. */
function release(facts: Facts, keeper: BotId | LadderId, keep: number, most: number) {
  const ids = beyond(facts, keeper, keep).slice(0, most);
  for (const id of ids) facts.released.add(`${id} ${keeper}`);
  return ids;
}

/** Oldest first. */
function beyond(facts: Facts, keeper: BotId | LadderId, keep: number): MatchId[] {
  const keeping = newestFirst(facts.matches.values())
    .filter((match) => keepersOf(facts, match).includes(keeper))
    .filter(({ id }) => !facts.released.has(`${id} ${keeper}`));
  const oldest = keeping.slice(keep).toReversed();
  return oldest.map(({ id }) => id);
}

function keepersNow(facts: Facts, id: MatchId): number {
  const match = facts.matches.get(id);
  const keepers = match === undefined ? [] : keepersOf(facts, match);
  const pinned = facts.pins.some(({ matchId }) => matchId === id);
  return keepers.filter((one) => !facts.released.has(`${id} ${one}`)).length + Number(pinned);
}

const placeOf = ({ at, id }: AuditPlace) => `${at} ${id}`;

type AuditFacts = {
  audit: Map<string, AuditEntry>;
  keys: Map<string, { accountId: string }>;
  bots: Map<string, { ownerId: string }>;
};

/** By the account or one of its keys, about it or one of its bots. */
const isOf =
  ({ keys, bots }: AuditFacts, accountId: string) =>
  ({ actor, subject, person }: AuditEntry): boolean =>
    person?.id === accountId ||
    [actor, subject].some((one) => one?.kind === "account" && one.id === accountId) ||
    (actor.kind === "agent_key" && keys.get(actor.id ?? "")?.accountId === accountId) ||
    (subject?.kind === "bot" && bots.get(subject.id ?? "")?.ownerId === accountId);

type Named = { id: string | null; name: string | null } | null | undefined;

const matches = ({ ids, name }: AuditMatch, one: Named): boolean =>
  ids.includes(one?.id ?? "") || one?.name?.toLowerCase() === name.toLowerCase();

const isBy = (match: AuditMatch, { actor }: AuditEntry): boolean =>
  matches(match, actor) || matches(match, actor.account) || actor.kind === match.name;

const isAbout = (match: AuditMatch, { subject, person }: AuditEntry): boolean =>
  matches(match, subject) || matches(match, person);

export function auditMethods(facts: AuditFacts): Store["audit"] {
  return {
    add: async (entries) => {
      for (const entry of entries) note(facts, entry);
    },
    sweep: async ({ throttled, all }, most) => {
      const isPast = ({ kind, at }: AuditEntry) =>
        at < all || (kind === "bot.throttled" && at < throttled);
      const past = [...facts.audit.values()].filter(isPast).slice(0, most);
      for (const { id } of past) facts.audit.delete(id);
      return past.length;
    },
    byId: async (id) => facts.audit.get(id) ?? null,
    list: async ({ kind, accountId, actor, subject, since, until, before, limit }) =>
      [...facts.audit.values()]
        .filter((entry) => accountId === undefined || isOf(facts, accountId)(entry))
        .filter((entry) => kind === undefined || [kind].flat().includes(entry.kind))
        .filter((entry) => actor === undefined || isBy(actor, entry))
        .filter((entry) => subject === undefined || isAbout(subject, entry))
        .filter(
          ({ at }) => (since === undefined || at >= since) && (until === undefined || at < until),
        )
        .filter((entry) => before === undefined || placeOf(entry) < placeOf(before))
        .toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
        .slice(0, limit),
  };
}
