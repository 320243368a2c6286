// One process that makes and sends letters, driven by a clock that only this moves.

import { setImmediate as turnOfTheLoop } from "node:timers/promises";

import { SECOND_MS } from "#base/units/time.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { PUBLIC } from "#core/ladder/ladder.ts";
import { FIXED } from "#core/words/limits.ts";
import type { Carrier } from "#outside/mail/carrier.ts";
import { openSecondLane } from "#outside/mail/second-lane.ts";
import { openLetterRounds } from "#server/jobs/letters.ts";
import type { FakeClock } from "#testing/fixtures/fake-clock.ts";
import { CUP } from "#testing/store-cases/store-kept-ladder-cases.ts";

import type { SenderLife } from "./life.ts";

export type MailSender = {
  life: SenderLife;
  /** Lets everything happen that waits for no time. */
  settle(): Promise<void>;
  /** Lets the lane send for some seconds at most, until nothing waits. */
  send(mostS: number): Promise<void>;
  /** One round of looks; whether it came to its end. */
  look(): Promise<boolean>;
  stop(): Promise<void>;
};

type Around = {
  life: SenderLife;
  clock: FakeClock;
  events: readonly EventDefinition[];
  carry: Carrier;
  newId: () => string;
};

/** After the lane has found nothing, it looks again within this time. */
const IDLE_S = 2 + FIXED.optional_mail_every_ms / SECOND_MS;
/** Turns of the loop without a call of the store, after which nothing happens any more. */
const QUIET = 3;

export function openSender(around: Around): MailSender {
  const { life, clock, events, newId } = around;
  const { signal } = new AbortController();
  const rounds = openLetterRounds({
    store: life.store,
    events: { all: () => events },
    ladders: { all: () => [PUBLIC, CUP] },
    adminEmails: () => new Set(),
    sendLetter: () => {},
    clock,
    newId,
  });
  const lane = openLane(around);
  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET && !life.isDead();) {
      await turnOfTheLoop();
      quiet = life.inFlight() === 0 ? quiet + 1 : 0;
    }
  }
  return {
    life,
    settle,
    send: async (mostS) => {
      await settle();
      for (let second = 0; second < mostS && !life.isDead(); second += 1) {
        clock.pass(SECOND_MS);
        await settle();
        if (!life.isBusy() && second > IDLE_S) break;
      }
    },
    look: async () => {
      const look = { outcome: "under way" };
      rounds.look(signal).then(
        () => (look.outcome = "done"),
        () => (look.outcome = "failed"),
      );
      while (look.outcome === "under way" && !life.isDead()) await turnOfTheLoop();
      return look.outcome === "done";
    },
    stop: async () => {
      const stop = { isDone: false };
      void lane.stop().then(() => (stop.isDone = true));
      while (!stop.isDone && !life.isDead()) {
        await settle();
        clock.pass(SECOND_MS);
      }
    },
  };
}

/** The words of a letter are what it is about, and its link says whose it is. */
const openLane = ({ life, clock, carry, newId }: Around) =>
  openSecondLane({
    store: life.store,
    write: (notice) => ({ subject: "", text: JSON.stringify(notice), html: "" }),
    sender: { baseUrl: "https://ladder.example", contact: null },
    carry,
    host: "ladder.example",
    linkOf: (meant) => JSON.stringify(meant),
    ends: new Map(),
    clock,
    newId,
    log: { warn: () => {}, error: () => {} },
  });
