// Queues optional emails when they are due. Decisions are made in #core/mail; this module only
// reads and writes. Each email is keyed by its occasion, and progress is stored together with the
// emails, so a round that is interrupted or repeated sends nothing twice.

import type { Clock } from "#base/clock/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, utcDayOf } from "#base/util/time.ts";
import { isAdmin } from "#core/accounts/account.ts";
import type { OperatorEmail, SendTransactionalEmail } from "#core/accounts/transactional-email.ts";
import type { LiveEvents } from "#core/events/live-events.ts";
import type { AccountId, BotId } from "#core/ids/ids.ts";
import type { LiveLadders } from "#core/ladder/live-ladders.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { canWarn, MAIL_STOPPED_MARK, warningEmail, warningMark } from "#core/mail/admin-warning.ts";
import { healthEmail } from "#core/mail/bot-health.ts";
import { acceptsEmail } from "#core/mail/delivery.ts";
import { createDelivery } from "#core/mail/due-email.ts";
import type { DueEmail } from "#core/mail/due-email.ts";
import type { AdminWarning } from "#core/mail/email-notification.ts";
import { reminderMark, dueReminders, reminderEmail } from "#core/mail/event-emails.ts";
import type { EventReminder } from "#core/mail/event-emails.ts";
import { blocksWarnings, TRANSACTIONAL_SCOPE } from "#core/mail/incident.ts";
import { WEEKLY_DIGEST_MARK, digestEmail, digestWeek } from "#core/mail/weekly-digest.ts";
import type { Week } from "#core/mail/weekly-digest.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type {
  IncidentRecord,
  RecipientRecord,
  MailMark,
  RecipientWithBots,
  RecipientPage,
} from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";

export type OptionalEmailDeps = {
  store: Pick<Store, "deliveries" | "recipients" | "versions" | "stats" | "accounts" | "incidents">;
  events: Pick<LiveEvents, "list">;
  ladders: Pick<LiveLadders, "list">;
  /** Returns the lowercase email addresses of configured admins. */
  adminEmails: () => ReadonlySet<string>;
  /** Alerts admins that other warnings can't be sent. */
  sendEmail: SendTransactionalEmail<OperatorEmail>;
  clock: Pick<Clock, "wall">;
  newId: () => string;
};

export type OptionalEmailRounds = {
  /** Runs all checks once. A check that fails runs again in the next round. */
  runRound(signal: AbortSignal): Promise<void>;
};

const PAGE_SIZE = 100;
/** How far back the first check looks for faults. */
const FAULT_LOOKBACK_MS = HOUR_MS;
/** Maximum assumed delay between a match's end and its storage. */
const STORE_DELAY_MS = 2 * MINUTE_MS;
const REMINDER_INTERVAL_MS = 5 * MINUTE_MS;
/** Enough to find the newest incident that isn't about transactional email. */
const RECENT_INCIDENTS = 20;
/** Incidents older than this aren't reported: they were opened before the last startup. */
const INCIDENT_MAX_AGE_MS = DAY_MS;

export function openOptionalEmailRounds(deps: OptionalEmailDeps): OptionalEmailRounds {
  const { clock } = deps;
  const nowMs = () => clock.wall().getTime();
  let healthCheckedAt: number | null = null;
  let faultsFrom = nowMs() - FAULT_LOOKBACK_MS;

  async function checkEngineFaults(): Promise<void> {
    const last = await deps.store.deliveries.findMark(warningMark("engine_fault"));
    const checkedAt = nowMs();
    const oldest = Math.max(faultsFrom, checkedAt - FAULT_LOOKBACK_MS - STORE_DELAY_MS);
    const since = [instantOf(oldest), last ?? ""].toSorted().at(-1) ?? "";
    const ladderIds = deps.ladders.list().map(({ id }) => id);
    const latestFault = await deps.store.recipients.latestServerFault(ladderIds, since);
    if (latestFault !== null)
      await queueWarning(deps, last, "engine_fault", latestFault.ended, `match ${latestFault.id}`);
    else faultsFrom = checkedAt - STORE_DELAY_MS;
  }

  async function checkHealth(signal: AbortSignal): Promise<void> {
    const everyMs = FIXED_LIMITS.bot_health_every_s * SECOND_MS;
    if (healthCheckedAt !== null && nowMs() < healthCheckedAt + everyMs) return;
    const checkedAt = nowMs();
    await checkBotHealth(deps, signal);
    if (!signal.aborted) healthCheckedAt = checkedAt;
  }

  return {
    runRound: async (signal) => {
      const checks = [
        checkEngineFaults,
        () => checkIncidents(deps),
        () => queueReminders(deps, signal),
        () => queueDigests(deps, signal),
        () => checkHealth(signal),
      ];
      const failures: unknown[] = [];
      for (const check of checks)
        if (!signal.aborted) await check().catch((error: unknown) => void failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}

const instantOf = (ms: number): string => new Date(ms).toISOString();

async function queueEmails(
  { store, clock, newId }: OptionalEmailDeps,
  emails: readonly (DueEmail | null)[],
  marks: readonly MailMark[] = [],
): Promise<void> {
  const at = clock.wall().toISOString();
  const rows = emails.flatMap((email) =>
    email === null ? [] : [createDelivery(email, at, newId)],
  );
  if (rows.length + marks.length > 0) await store.deliveries.queue(rows, marks);
}

/** Resolves with false if `signal` aborted before the last page. */
async function forEachRecipientPage<R extends RecipientRecord>(
  readPage: (page: RecipientPage) => Promise<R[]>,
  handlePage: (recipients: readonly R[]) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  for (let after: AccountId | null = null; !signal.aborted;) {
    const recipients = await readPage({ after, limit: PAGE_SIZE });
    await handlePage(recipients);
    after = recipients.at(-1)?.accountId ?? null;
    if (recipients.length < PAGE_SIZE) return true;
  }
  return false;
}

/** Players who join after one check are included in the next. */
async function queueReminders(deps: OptionalEmailDeps, signal: AbortSignal): Promise<void> {
  const nowMs = deps.clock.wall().getTime();
  const remindedSince = instantOf(nowMs - REMINDER_INTERVAL_MS);
  for (const ladderEdge of dueReminders(deps.events.list(), nowMs))
    if (((await deps.store.deliveries.findMark(reminderMark(ladderEdge))) ?? "") <= remindedSince)
      await remindRecipients(deps, ladderEdge, signal);
}

async function remindRecipients(
  deps: OptionalEmailDeps,
  ladderEdge: EventReminder,
  signal: AbortSignal,
): Promise<void> {
  const at = deps.clock.wall().toISOString();
  const isDone = await forEachRecipientPage(
    (page) => deps.store.recipients.onLadder(ladderEdge.ladderId, page),
    (recipients) =>
      queueEmails(
        deps,
        recipients
          .filter(({ mail }) => acceptsEmail(mail, "event_reminders"))
          .map(({ accountId }) => reminderEmail(ladderEdge, accountId, at)),
      ),
    signal,
  );
  if (isDone) await queueEmails(deps, [], [{ name: reminderMark(ladderEdge), value: at }]);
}

async function queueDigests(deps: OptionalEmailDeps, signal: AbortSignal): Promise<void> {
  const week = digestWeek(deps.clock.wall().getTime());
  if (week === null) return;
  if (((await deps.store.deliveries.findMark(WEEKLY_DIGEST_MARK)) ?? "") >= week.from) return;
  const isDone = await forEachRecipientPage(
    (page) => deps.store.recipients.withPlayedBots(daysOf(week), page),
    async (recipients) => {
      const subscribers = recipients.filter(({ mail }) => acceptsEmail(mail, "weekly_digest"));
      await queueEmails(
        deps,
        await Promise.all(subscribers.map((recipient) => digestEmailOf(deps, week, recipient))),
      );
    },
    signal,
  );
  if (isDone) await queueEmails(deps, [], [{ name: WEEKLY_DIGEST_MARK, value: week.from }]);
}

function daysOf({ from, to }: Week): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += DAY_MS)
    days.push(utcDayOf(instantOf(ms)));
  return days;
}

async function digestEmailOf(
  deps: OptionalEmailDeps,
  week: Week,
  { accountId, bots }: RecipientWithBots,
) {
  const span = { from: instantOf(Date.parse(week.from)), until: week.end };
  const weeks = await Promise.all(
    bots.map(async ({ id, name: bot }) => ({
      bot,
      ...(await deps.store.recipients.results(id, span)),
    })),
  );
  return digestEmail(week, accountId, weeks, deps.clock.wall().toISOString());
}

/** Only checks bots that played since yesterday. The health of all other bots is unchanged. */
async function checkBotHealth(deps: OptionalEmailDeps, signal: AbortSignal): Promise<void> {
  const now = deps.clock.wall().getTime();
  const days = [now - DAY_MS, now].map((ms) => utcDayOf(instantOf(ms)));
  await forEachRecipientPage(
    (page) => deps.store.recipients.withPlayedBots(days, page),
    async (recipients) => {
      for (const { accountId, mail, bots } of recipients)
        if (acceptsEmail(mail, "bot_health") && !signal.aborted)
          await queueEmails(
            deps,
            await Promise.all(bots.map((bot) => healthEmailOf(deps, accountId, bot))),
          );
    },
    signal,
  );
}

async function healthEmailOf(
  { store, clock }: OptionalEmailDeps,
  accountId: AccountId,
  bot: { id: BotId; name: string },
): Promise<DueEmail | null> {
  const [newest] = (await store.versions.list(bot.id, { limit: 1 })) ?? [];
  if (newest === undefined) return null;
  const last = await store.deliveries.latest(accountId, "bot_health", `${bot.id} `);
  const [turnStats = null] = await store.stats.turns([newest.id], FIXED_LIMITS.bot_health_matches);
  const runRound = { accountId, bot, version: newest.label, turnStats, lastEmail: last };
  return healthEmail(runRound, clock.wall().toISOString());
}

async function checkIncidents(deps: OptionalEmailDeps): Promise<void> {
  // An email about failing transactional email would be sent through the same failing channel.
  const newest = (await deps.store.incidents.list(RECENT_INCIDENTS)).find(
    ({ scope }) => scope !== TRANSACTIONAL_SCOPE,
  );
  if (newest === undefined || newest.resolved !== null) return;
  if (blocksWarnings(newest.scope)) return alertMailStopped(deps, newest);
  const last = await deps.store.deliveries.findMark(warningMark("mail_incident"));
  const oldest = instantOf(deps.clock.wall().getTime() - INCIDENT_MAX_AGE_MS);
  if (newest.opened <= (last ?? "") || newest.opened < oldest) return;
  const about = `${newest.cause}, of ${newest.scope}`;
  await queueWarning(deps, last, "mail_incident", newest.opened, about);
}

/**
 * Uses the transactional mailer, because the notification queue is on hold. If the login fails, no
 * email can be sent and only the log reports it.
 */
async function alertMailStopped(
  deps: OptionalEmailDeps,
  { cause, opened }: IncidentRecord,
): Promise<void> {
  if (cause === "login_refused") return;
  const last = await deps.store.deliveries.findMark(MAIL_STOPPED_MARK);
  const now = deps.clock.wall();
  if (opened <= (last ?? "") || !canWarn(last, now.getTime())) return;
  const admins = await adminRecipients(deps);
  await deps.store.deliveries.queue([], [{ name: MAIL_STOPPED_MARK, value: now.toISOString() }]);
  for (const { email } of admins)
    if (email !== null) deps.sendEmail(email, { type: "mail_stopped", at: opened });
}

async function queueWarning(
  deps: OptionalEmailDeps,
  last: string | null,
  warning: AdminWarning,
  at: string,
  about: string,
): Promise<void> {
  const now = deps.clock.wall();
  if (!canWarn(last, now.getTime())) return;
  const admins = await adminRecipients(deps);
  const due = now.toISOString();
  const emails = admins
    .filter(({ mail }) => acceptsEmail(mail, "admin_warnings"))
    .map(({ id }) => warningEmail({ warning, at, about }, id, due));
  await queueEmails(deps, emails, [{ name: warningMark(warning), value: due }]);
}

async function adminRecipients({
  store,
  adminEmails,
}: OptionalEmailDeps): Promise<AccountRecord[]> {
  const emails = adminEmails();
  return (await store.accounts.admins([...emails])).filter(
    (account) =>
      isAdmin(account, emails) && account.emailConfirmedAt !== null && account.bannedAt === null,
  );
}
