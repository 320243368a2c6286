// The second lane of mail: letters that people may refuse, from the store, one after another. A
// transaction before each says that it is being sent, and one after it how it ended; a letter that
// may have arrived is never sent again.

import type { Clock } from "#base/clock/clock.ts";
import { pause } from "#base/clock/pause.ts";
import { increment } from "#base/units/named-counts.ts";
import type { NamedCounts } from "#base/units/named-counts.ts";
import { SECOND_MS } from "#base/units/time.ts";
import type { Sender } from "#core/accounts/letter.ts";
import type { DeliveryEnd } from "#core/mail/delivery.ts";
import type { WriteNotice } from "#core/mail/notice.ts";
import type { Unsubscribing } from "#core/mail/unsubscribe.ts";
import { SYSTEM } from "#core/words/audit.ts";
import { FIXED } from "#core/words/limits.ts";
import type { AuditEntry } from "#data/store/audit.ts";
import type { Begun, DeliveryOutcome } from "#data/store/delivery.ts";
import type { Store } from "#data/store/store.ts";

import type { Carrier } from "./carrier.ts";
import { faultOf, wordsOf } from "./fault.ts";

export type SecondLaneDeps = {
  store: Pick<Store, "deliveries">;
  write: WriteNotice;
  sender: Sender;
  carry: Carrier;
  /** Ends the ids of letters. */
  host: string;
  /** Where the reader refuses letters like this one. */
  linkOf: (meant: Unsubscribing) => string;
  /** Counts emails by outcome. */
  ends: NamedCounts<DeliveryEnd | "skipped">;
  clock: Clock;
  newId: () => string;
  /** Neither addresses nor words of a letter come here. */
  log: {
    warn: (facts: object, message: string) => void;
    error: (facts: object, message: string) => void;
  };
};

export type SecondLane = {
  /** Begins no other letter, and waits a moment for the one that is on its way. */
  stop: () => Promise<void>;
};

/** Between two looks for a letter, where there was none. */
const IDLE_MS = 2000;
/** After the store did not answer. */
const RETRY_MS = 5000;

type ToSend = Exclude<Begun, { skipped: unknown }>;

export function openSecondLane(deps: SecondLaneDeps): SecondLane {
  const { clock, log } = deps;
  const ending = new AbortController();
  const { signal } = ending;

  /** Repeats until it succeeds or the lane stops. */
  async function insist<T>(job: () => Promise<T>): Promise<T | null> {
    while (!signal.aborted)
      try {
        return await job();
      } catch (error) {
        log.error({ error }, "mail waits for the store");
        await pause(clock, signal, RETRY_MS);
      }
    return null;
  }

  const instant = () => clock.wall().toISOString();
  const running = (async () => {
    await insist(() => deps.store.deliveries.interrupt(instant()));
    while (!signal.aborted) {
      const begun = await insist(() => deps.store.deliveries.begin(instant(), deps.host));
      if (begun === null) await pause(clock, signal, IDLE_MS);
      else if ("skipped" in begun) increment(deps.ends, "skipped");
      else await send(begun);
    }
  })();

  async function send(begun: ToSend): Promise<void> {
    const start = clock.now();
    const outcome = await outcomeOf(deps, begun, signal);
    await settle(begun.id, outcome);
    increment(deps.ends, outcome.state);
    const elapsedMs = (clock.now() - start) / 1000;
    await pause(clock, signal, Math.max(0, FIXED.optional_mail_every_ms - elapsedMs));
  }

  /** Once more even if the lane stops; what is not noted is unknown at the next start. */
  async function settle(id: string, outcome: DeliveryOutcome): Promise<void> {
    const audit = entryOf(deps, outcome.at);
    const end = () => deps.store.deliveries.end(id, outcome, audit);
    const incident = await end().catch(() => insist(end));
    if (incident === null) return;
    // Without a log-in no letter can tell anybody.
    const level = incident.cause === "login_refused" ? "error" : "warn";
    log[level]({ ...incident }, "mail that people may refuse is stopped");
  }

  return {
    stop: async () => {
      ending.abort();
      await running;
    },
  };
}

const entryOf = ({ newId }: SecondLaneDeps, at: string): AuditEntry => ({
  id: newId(),
  at,
  kind: "mail.incident",
  actor: SYSTEM,
  subject: null,
  reason: null,
  detail: null,
});

const TAKEN = { state: "accepted", error: null, refused: null } as const;

/** A stop leaves a letter some time to arrive. */
async function outcomeOf(
  deps: SecondLaneDeps,
  { id, to, accountId, category, notice }: ToSend,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { clock, log } = deps;
  const carrying = new AbortController();
  const cancels = [clock.after(FIXED.mail_s * SECOND_MS, () => carrying.abort())];
  const leaveTime = () =>
    void cancels.push(clock.after(FIXED.mail_stop_s * SECOND_MS, () => carrying.abort()));
  signal.addEventListener("abort", leaveTime, { once: true });
  const at = () => clock.wall().toISOString();
  try {
    const unsubscribe = deps.linkOf({ accountId, category });
    const written = wordsOf(() => deps.write(notice, deps.sender, unsubscribe));
    const letter = { type: notice.kind };
    const mail = { id, to, letter, written, at: clock.wall(), unsubscribe };
    const responseCode = await deps.carry(mail, carrying.signal);
    return { ...TAKEN, responseCode, at: at() };
  } catch (error) {
    const { outcome: state, code, response, refused } = faultOf(error);
    log.warn({ type: notice.kind, outcome: state, code, response }, "a mail was not sent");
    return { at: at(), state, responseCode: response, error: code, refused };
  } finally {
    for (const cancel of cancels) cancel();
    signal.removeEventListener("abort", leaveTime);
  }
}
