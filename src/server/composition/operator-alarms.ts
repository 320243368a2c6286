// Emails admins about a full disk or an unreachable store. The store can't be read then, so admin
// addresses are kept in memory.

import type { Clock } from "#base/clock/clock.ts";
import { isAdmin } from "#core/accounts/account.ts";
import type { OperatorEmail, SendTransactionalEmail } from "#core/accounts/transactional-email.ts";
import { nextAlarmState, NO_ALARM } from "#core/mail/store-alarm.ts";
import { StoreError } from "#data/store/errors.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";
import type { MethodName, Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/arena-deps.ts";
import type { Recorder } from "#live/recorder/recorder.ts";

/** Returns the same recorder, with the alarm: replays may be the first to hit a full disk. */
export const withDiskFullAlarm = (
  recorder: Recorder,
  { onStoreResult }: Pick<Alarms, "onStoreResult">,
): Recorder => ({
  ...recorder,
  file: async (matchId, record) => {
    try {
      return await recorder.file(matchId, record);
    } catch (error) {
      if (error instanceof StoreError && error.code === "full") onStoreResult("replay", "full");
      throw error;
    }
  },
});

export type AlarmDeps = { clock: Pick<Clock, "wall">; log: Log };

/** Recipients and transport of alarms. */
type AlarmRecipients = {
  store: Pick<Store, "accounts">;
  /** Null on a server without accounts, which has no admins. */
  side: {
    adminEmails: () => ReadonlySet<string>;
    sendEmail: SendTransactionalEmail<OperatorEmail>;
  } | null;
};

export type Alarms = {
  /** Call when a store call has ended or a replay couldn't be written. */
  onStoreResult: (name: MethodName | "replay", failure: StoreErrorCode | null) => void;
  /** Reads the addresses and starts alarms. */
  start(recipients: AlarmRecipients): Promise<void>;
};

/** Calls that may change admins or their addresses. */
const ADMIN_CHANGES: ReadonlySet<string> = new Set<MethodName>([
  "accounts.add",
  "accounts.setRole",
  "accounts.setBan",
  "accounts.updateContact",
  "accounts.delete",
]);

export function openAlarms({ clock, log }: AlarmDeps): Alarms {
  let state = NO_ALARM;
  let recipients: AlarmRecipients | null = null;
  let addresses: readonly string[] = [];
  let readCount = 0;

  async function readAddresses({ store, side }: AlarmRecipients): Promise<void> {
    if (side === null) return;
    const thisRead = (readCount += 1);
    try {
      const emails = side.adminEmails();
      const admins = await store.accounts.admins([...emails]);
      if (thisRead !== readCount) return;
      addresses = admins.flatMap((account) =>
        isAdmin(account, emails) && account.bannedAt === null && account.emailConfirmedAt !== null
          ? (account.email ?? [])
          : [],
      );
    } catch (error) {
      log.error({ error }, "could not read admin email addresses; keeping the previous ones");
    }
  }

  return {
    onStoreResult: (name, failure) => {
      const now = clock.wall();
      const storeCondition = failure === null ? "up" : failure === "full" ? "full" : "away";
      const { state: nextState, alarm } = nextAlarmState(state, storeCondition, now.getTime());
      state = nextState;
      if (alarm !== null)
        for (const to of addresses)
          recipients?.side?.sendEmail(to, { type: alarm, at: now.toISOString() });
      if (failure === null && recipients !== null && ADMIN_CHANGES.has(name))
        void readAddresses(recipients);
    },
    start: async (newRecipients) => {
      recipients = newRecipients;
      await readAddresses(newRecipients);
    },
  };
}
