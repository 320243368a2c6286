import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import type { MailTransport } from "#adapters/mail/mail-transport.ts";
import { openNotificationQueue } from "#adapters/mail/notification-queue.ts";
import { SECOND_MS } from "#base/util/time.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { PUBLIC_LADDER } from "#core/ladder/ladder.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import { openOptionalEmailRounds } from "#server/jobs/optional-emails.ts";
import type { FakeClock } from "#testing/fixtures/fake-clock.ts";
import { SAMPLE_LADDER } from "#testing/store-contract/store-custom-ladder-cases.ts";

import type { SenderProcess } from "./sender-process.ts";

export type MailSender = {
  senderProcess: SenderProcess;
  /** Runs everything that can run without advancing the clock. */
  settle(): Promise<void>;
  /** Runs the queue until it is empty, for up to `maxSeconds` of virtual time. */
  send(maxSeconds: number): Promise<void>;
  runRound(): Promise<boolean>;
  stop(): Promise<void>;
};

type MailSenderDeps = {
  senderProcess: SenderProcess;
  clock: FakeClock;
  events: readonly EventDefinition[];
  transport: MailTransport;
  newId: () => string;
};

/** Maximum seconds between polls of an empty queue. */
const IDLE_S = 2 + FIXED_LIMITS.optional_mail_every_ms / SECOND_MS;
/** The process is idle after this many event loop turns without a store call. */
const QUIET_TURNS = 3;

export function createMailSender(deps: MailSenderDeps): MailSender {
  const { senderProcess, clock, events, newId } = deps;
  const { signal } = new AbortController();
  const rounds = openOptionalEmailRounds({
    store: senderProcess.store,
    events: { list: () => events },
    ladders: { list: () => [PUBLIC_LADDER, SAMPLE_LADDER] },
    adminEmails: () => new Set(),
    sendEmail: () => {},
    clock,
    newId,
  });
  const queue = createQueue(deps);
  async function settle(): Promise<void> {
    for (let quietTurns = 0; quietTurns < QUIET_TURNS && !senderProcess.isDead();) {
      await turnOfTheLoop();
      quietTurns = senderProcess.inFlight() === 0 ? quietTurns + 1 : 0;
    }
  }
  return {
    senderProcess,
    settle,
    send: async (maxSeconds) => {
      await settle();
      for (let second = 0; second < maxSeconds && !senderProcess.isDead(); second += 1) {
        clock.advance(SECOND_MS);
        await settle();
        if (!senderProcess.isBusy() && second > IDLE_S) break;
      }
    },
    runRound: async () => {
      const runRound = { outcome: "under way" };
      rounds.runRound(signal).then(
        () => (runRound.outcome = "done"),
        () => (runRound.outcome = "failed"),
      );
      while (runRound.outcome === "under way" && !senderProcess.isDead()) await turnOfTheLoop();
      return runRound.outcome === "done";
    },
    stop: async () => {
      const stop = { isDone: false };
      void queue.stop().then(() => (stop.isDone = true));
      while (!stop.isDone && !senderProcess.isDead()) {
        await settle();
        clock.advance(SECOND_MS);
      }
    },
  };
}

/**
 * Writes the notification into the email's text as JSON, and the account into the unsubscribe link.
 */
const createQueue = ({ senderProcess, clock, transport, newId }: MailSenderDeps) =>
  openNotificationQueue({
    store: senderProcess.store,
    write: (notice) => ({ subject: "", text: JSON.stringify(notice), html: "" }),
    sender: { baseUrl: "https://ladder.example", contact: null },
    transport,
    host: "ladder.example",
    unsubscribeLinkOf: (content) => JSON.stringify(content),
    deliveryResults: new Map(),
    clock,
    newId,
    log: { warn: () => {}, error: () => {} },
  });
