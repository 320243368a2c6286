// Looks for what mail tells of that people may refuse, and makes the letters. What was found decides
// (#core/mail); here it is only read and written. A letter's row and its key are one, and what is
// noted as done goes with the rows, so a look that breaks off or is repeated tells nobody twice.

import type { Clock } from "#base/clock/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, dayOf } from "#base/units/time.ts";
import { isAdmin } from "#core/accounts/account.ts";
import type { OperatorLetter, SendLetter } from "#core/accounts/letter.ts";
import type { LiveEvents } from "#core/events/events.ts";
import type { Ladders } from "#core/ladder/ladders.ts";
import { mayWarn, STOPPED_MARK, warningLetter, warningMark } from "#core/mail/admin-warning.ts";
import { healthLetter } from "#core/mail/bot-health.ts";
import { wantsMail } from "#core/mail/delivery.ts";
import { deliveryOf } from "#core/mail/due-letter.ts";
import type { DueLetter } from "#core/mail/due-letter.ts";
import { edgeMark, nearEdges, reminderLetter } from "#core/mail/event-letters.ts";
import type { NearEdge } from "#core/mail/event-letters.ts";
import { holdsWarnings, TRANSACTIONAL } from "#core/mail/incident.ts";
import type { AdminWarning } from "#core/mail/notice.ts";
import { DIGEST_MARK, digestLetter, digestWeek } from "#core/mail/weekly-digest.ts";
import type { Week } from "#core/mail/weekly-digest.ts";
import type { AccountId, BotId } from "#core/words/ids.ts";
import { FIXED } from "#core/words/limits.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type {
  IncidentRecord,
  LetterReader,
  MailMark,
  PlayingReader,
  ReaderPage,
} from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";

export type LetterDeps = {
  store: Pick<Store, "deliveries" | "readers" | "versions" | "figures" | "accounts" | "incidents">;
  events: Pick<LiveEvents, "all">;
  ladders: Pick<Ladders, "all">;
  /** Addresses of configured admins, in lower case. */
  adminEmails: () => ReadonlySet<string>;
  /** Tells admins what keeps other warnings from them. */
  sendLetter: SendLetter<OperatorLetter>;
  clock: Pick<Clock, "wall">;
  /** A UUIDv7. */
  newId: () => string;
};

export type LetterRounds = {
  /** One round of looks. What fails is looked for again in the next one. */
  look(signal: AbortSignal): Promise<void>;
};

/** Accounts in one read. */
const PORTION = 100;
/** How far a first look goes back for faults. */
const FAULTS_MS = HOUR_MS;
/** A match may be stored this long after it ended. */
const LATE_MS = 2 * MINUTE_MS;
/** Between two looks at who gets a reminder of an edge. */
const REMIND_EVERY_MS = 5 * MINUTE_MS;
/** Skips incidents of transactional email. */
const RECENT_INCIDENTS = 20;
/** An incident that is older was there before the last start. */
const INCIDENT_MS = DAY_MS;

export function openLetterRounds(deps: LetterDeps): LetterRounds {
  const { clock } = deps;
  const nowMs = () => clock.wall().getTime();
  let healthAt: number | null = null;
  let faultsFrom = nowMs() - FAULTS_MS;

  async function faults(): Promise<void> {
    const last = await deps.store.deliveries.mark(warningMark("engine_fault"));
    const lookedAt = nowMs();
    const oldest = Math.max(faultsFrom, lookedAt - FAULTS_MS - LATE_MS);
    const since = [instantOf(oldest), last ?? ""].toSorted().at(-1) ?? "";
    const ladderIds = deps.ladders.all().map(({ id }) => id);
    const found = await deps.store.readers.latestFault(ladderIds, since);
    if (found !== null) await warn(deps, last, "engine_fault", found.ended, `match ${found.id}`);
    else faultsFrom = lookedAt - LATE_MS;
  }

  async function health(signal: AbortSignal): Promise<void> {
    const everyMs = FIXED.bot_health_every_s * SECOND_MS;
    if (healthAt !== null && nowMs() < healthAt + everyMs) return;
    const lookedAt = nowMs();
    await lookAtHealth(deps, signal);
    if (!signal.aborted) healthAt = lookedAt;
  }

  return {
    look: async (signal) => {
      const looks = [
        faults,
        () => incidents(deps),
        () => reminders(deps, signal),
        () => digests(deps, signal),
        () => health(signal),
      ];
      const failures: unknown[] = [];
      for (const look of looks)
        if (!signal.aborted) await look().catch((error: unknown) => void failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}

const instantOf = (ms: number): string => new Date(ms).toISOString();

async function queue(
  { store, clock, newId }: LetterDeps,
  letters: readonly (DueLetter | null)[],
  marks: readonly MailMark[] = [],
): Promise<void> {
  const at = clock.wall().toISOString();
  const rows = letters.flatMap((letter) =>
    letter === null ? [] : [deliveryOf(letter, at, newId)],
  );
  if (rows.length + marks.length > 0) await store.deliveries.queue(rows, marks);
}

/** Whether all were visited. */
async function eachPage<R extends LetterReader>(
  read: (page: ReaderPage) => Promise<R[]>,
  visit: (readers: readonly R[]) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  for (let after: AccountId | null = null; !signal.aborted;) {
    const readers = await read({ after, most: PORTION });
    await visit(readers);
    after = readers.at(-1)?.accountId ?? null;
    if (readers.length < PORTION) return true;
  }
  return false;
}

/** Who has come since the last look at an edge is told in the next one. */
async function reminders(deps: LetterDeps, signal: AbortSignal): Promise<void> {
  const nowMs = deps.clock.wall().getTime();
  const recent = instantOf(nowMs - REMIND_EVERY_MS);
  for (const edge of nearEdges(deps.events.all(), nowMs))
    if (((await deps.store.deliveries.mark(edgeMark(edge))) ?? "") <= recent)
      await remind(deps, edge, signal);
}

async function remind(deps: LetterDeps, edge: NearEdge, signal: AbortSignal): Promise<void> {
  const at = deps.clock.wall().toISOString();
  const isDone = await eachPage(
    (page) => deps.store.readers.onLadder(edge.ladderId, page),
    (readers) =>
      queue(
        deps,
        readers
          .filter(({ mail }) => wantsMail(mail, "event_reminders"))
          .map(({ accountId }) => reminderLetter(edge, accountId, at)),
      ),
    signal,
  );
  if (isDone) await queue(deps, [], [{ name: edgeMark(edge), value: at }]);
}

async function digests(deps: LetterDeps, signal: AbortSignal): Promise<void> {
  const week = digestWeek(deps.clock.wall().getTime());
  if (week === null) return;
  if (((await deps.store.deliveries.mark(DIGEST_MARK)) ?? "") >= week.from) return;
  const isDone = await eachPage(
    (page) => deps.store.readers.playing(daysOf(week), page),
    async (readers) => {
      const wanting = readers.filter(({ mail }) => wantsMail(mail, "weekly_digest"));
      await queue(deps, await Promise.all(wanting.map((reader) => digestOf(deps, week, reader))));
    },
    signal,
  );
  if (isDone) await queue(deps, [], [{ name: DIGEST_MARK, value: week.from }]);
}

function daysOf({ from, to }: Week): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += DAY_MS)
    days.push(dayOf(instantOf(ms)));
  return days;
}

async function digestOf(deps: LetterDeps, week: Week, { accountId, bots }: PlayingReader) {
  const span = { from: instantOf(Date.parse(week.from)), until: week.end };
  const weeks = await Promise.all(
    bots.map(async ({ id, name: bot }) => ({
      bot,
      ...(await deps.store.readers.results(id, span)),
    })),
  );
  return digestLetter(week, accountId, weeks, deps.clock.wall().toISOString());
}

/** A bot that has not played since yesterday is as well as it was. */
async function lookAtHealth(deps: LetterDeps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.wall().getTime();
  const days = [now - DAY_MS, now].map((ms) => dayOf(instantOf(ms)));
  await eachPage(
    (page) => deps.store.readers.playing(days, page),
    async (readers) => {
      for (const { accountId, mail, bots } of readers)
        if (wantsMail(mail, "bot_health") && !signal.aborted)
          await queue(deps, await Promise.all(bots.map((bot) => healthOf(deps, accountId, bot))));
    },
    signal,
  );
}

async function healthOf(
  { store, clock }: LetterDeps,
  accountId: AccountId,
  bot: { id: BotId; name: string },
): Promise<DueLetter | null> {
  const [newest] = (await store.versions.list(bot.id, { limit: 1 })) ?? [];
  if (newest === undefined) return null;
  const last = await store.deliveries.latest(accountId, "bot_health", `${bot.id} `);
  const [figures = null] = await store.figures.turns([newest.id], FIXED.bot_health_matches);
  const look = { accountId, bot, version: newest.label, figures, last };
  return healthLetter(look, clock.wall().toISOString());
}

async function incidents(deps: LetterDeps): Promise<void> {
  // An email about transactional email would take the way that is down.
  const newest = (await deps.store.incidents.list(RECENT_INCIDENTS)).find(
    ({ scope }) => scope !== TRANSACTIONAL,
  );
  if (newest === undefined || newest.resolved !== null) return;
  if (holdsWarnings(newest.scope)) return tellStopped(deps, newest);
  const last = await deps.store.deliveries.mark(warningMark("mail_incident"));
  const oldest = instantOf(deps.clock.wall().getTime() - INCIDENT_MS);
  if (newest.opened <= (last ?? "") || newest.opened < oldest) return;
  const about = `${newest.cause}, of ${newest.scope}`;
  await warn(deps, last, "mail_incident", newest.opened, about);
}

/** By the first lane, since the second one is held. Without a log-in there is none: the log tells. */
async function tellStopped(deps: LetterDeps, { cause, opened }: IncidentRecord): Promise<void> {
  if (cause === "login_refused") return;
  const last = await deps.store.deliveries.mark(STOPPED_MARK);
  const now = deps.clock.wall();
  if (opened <= (last ?? "") || !mayWarn(last, now.getTime())) return;
  const admins = await adminsOf(deps);
  await deps.store.deliveries.queue([], [{ name: STOPPED_MARK, value: now.toISOString() }]);
  for (const { email } of admins)
    if (email !== null) deps.sendLetter(email, { type: "mail_stopped", at: opened });
}

/** `last` is when admins were warned of this kind. */
async function warn(
  deps: LetterDeps,
  last: string | null,
  warning: AdminWarning,
  at: string,
  about: string,
): Promise<void> {
  const now = deps.clock.wall();
  if (!mayWarn(last, now.getTime())) return;
  const admins = await adminsOf(deps);
  const due = now.toISOString();
  const letters = admins
    .filter(({ mail }) => wantsMail(mail, "admin_warnings"))
    .map(({ id }) => warningLetter({ warning, at, about }, id, due));
  await queue(deps, letters, [{ name: warningMark(warning), value: due }]);
}

/** Those who get mail. */
async function adminsOf({ store, adminEmails }: LetterDeps): Promise<AccountRecord[]> {
  const emails = adminEmails();
  return (await store.accounts.admins([...emails])).filter(
    (one) => isAdmin(one, emails) && one.emailConfirmedAt !== null && one.bannedAt === null,
  );
}
