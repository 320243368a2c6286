// Emails admins about a full disk or an unreachable store. Admin addresses are kept in memory,
// because the store can't be read in either case.

import type { Clock } from "#base/clock/clock.ts";
import { isAdmin } from "#core/accounts/account.ts";
import type { OperatorEmail, SendTransactionalEmail } from "#core/accounts/transactional-email.ts";
import { nextAlarmState, NO_ALARM } from "#core/mail/store-alarm.ts";
import { StoreError } from "#data/store/errors.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";
import type { MethodName, Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/arena-deps.ts";
import type { Recorder } from "#live/recorder/recorder.ts";

/**
 * Returns a recorder that also raises the alarm. Replays may be the first writes to fail on a full
 * disk.
 */
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

type AlarmRecipients = {
  store: Pick<Store, "accounts">;
  /** Null on a server without accounts and therefore without admins. */
  side: {
    adminEmails: () => ReadonlySet<string>;
    sendEmail: SendTransactionalEmail<OperatorEmail>;
  } | null;
};

export type Alarms = {
  /** Call after every store call, and when a replay can't be written. */
  onStoreResult: (name: MethodName | "replay", failure: StoreErrorCode | null) => void;
  start(recipients: AlarmRecipients): Promise<void>;
};

/** Store calls that can change who is an admin, or an admin's address. */
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
