// Tells admins by mail of a full disk and of a store that does not answer. Nothing can be read then,
// so their addresses are kept in memory.

import type { Clock } from "#base/clock/clock.ts";
import { isAdmin } from "#core/accounts/account.ts";
import type { OperatorLetter, SendLetter } from "#core/accounts/letter.ts";
import { alarmAfter, CALM } from "#core/mail/alarm.ts";
import { StoreError } from "#data/store/errors.ts";
import type { StoreErrorCode } from "#data/store/errors.ts";
import type { MethodName, Store } from "#data/store/store.ts";
import type { Log } from "#live/arena/deps.ts";
import type { Recorder } from "#live/recorder/recorder.ts";

/** The same recorder; a full disk may be felt by replays first. */
export const heardRecorder = (recorder: Recorder, { heard }: Pick<Alarms, "heard">): Recorder => ({
  ...recorder,
  file: async (matchId, record) => {
    try {
      return await recorder.file(matchId, record);
    } catch (error) {
      if (error instanceof StoreError && error.code === "full") heard("replay", "full");
      throw error;
    }
  },
});

export type AlarmDeps = { clock: Pick<Clock, "wall">; log: Log };

/** To whom, and how. */
type AlarmWay = {
  store: Pick<Store, "accounts">;
  /** Null on a server without accounts, which has no admins. */
  side: {
    adminEmails: () => ReadonlySet<string>;
    sendLetter: SendLetter<OperatorLetter>;
  } | null;
};

export type Alarms = {
  /** A call of the store has ended, or a replay could not be written. */
  heard: (name: MethodName | "replay", failure: StoreErrorCode | null) => void;
  /** Reads the addresses; from now on admins are told. */
  begin(way: AlarmWay): Promise<void>;
};

/** Calls after which others may be admins, or have other addresses. */
const CHANGES: ReadonlySet<string> = new Set<MethodName>([
  "accounts.add",
  "accounts.setRole",
  "accounts.setBan",
  "accounts.noteContact",
  "accounts.leave",
]);

export function openAlarms({ clock, log }: AlarmDeps): Alarms {
  let state = CALM;
  let way: AlarmWay | null = null;
  let addresses: readonly string[] = [];
  let looks = 0;

  async function read({ store, side }: AlarmWay): Promise<void> {
    if (side === null) return;
    const look = (looks += 1);
    try {
      const emails = side.adminEmails();
      const admins = await store.accounts.admins([...emails]);
      if (look !== looks) return;
      addresses = admins.flatMap((one) =>
        isAdmin(one, emails) && one.bannedAt === null && one.emailConfirmedAt !== null
          ? (one.email ?? [])
          : [],
      );
    } catch (error) {
      log.error({ error }, "the addresses of admins cannot be read: they stay as they were");
    }
  }

  return {
    heard: (name, failure) => {
      const now = clock.wall();
      const news = failure === null ? "up" : failure === "full" ? "full" : "away";
      const { state: next, alarm } = alarmAfter(state, news, now.getTime());
      state = next;
      if (alarm !== null)
        for (const to of addresses)
          way?.side?.sendLetter(to, { type: alarm, at: now.toISOString() });
      if (failure === null && way !== null && CHANGES.has(name)) void read(way);
    },
    begin: async (begun) => {
      way = begun;
      await read(begun);
    },
  };
}
