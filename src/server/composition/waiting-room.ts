// Where requests and upgrades wait while the server opens. The port listens before anything else is
// ready, so that a second server on it fails at once and a proxy's first request is not refused.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import type { Clock } from "#base/clock/clock.ts";
import { refuseOpening, refuseOpeningUpgrade } from "#web/http/client-error.ts";

/** Answers whatever arrives at the port. */
export type Serving = {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
};

export type WaitingRoom = Serving & {
  /** Passes on everything that waits, in order of arrival, and from now on whatever arrives. */
  open(serving: Serving): void;
  /** Refuses everything that waits. */
  close(): void;
};

/** The longest that anything waits. */
const HOLD_MS = 5000;
/** Beyond this number, arrivals are refused at once rather than kept in memory. */
const HOLD_MOST = 1000;

type Guest = { admit(serving: Serving): void; refuse(): void; leave(): void };

export function openWaitingRoom(clock: Pick<Clock, "after">): WaitingRoom {
  const guests = new Set<Guest>();
  let serving: Serving | null = null;

  function take(stream: Duplex | ServerResponse, { admit, refuse }: Omit<Guest, "leave">): void {
    if (serving !== null) return admit(serving);
    if (guests.size >= HOLD_MOST) return refuse();
    const leave = () => {
      cancel();
      guests.delete(guest);
      stream.off("close", leave);
    };
    const guest: Guest = { admit, refuse, leave };
    const cancel = clock.after(HOLD_MS, () => {
      leave();
      refuse();
    });
    guests.add(guest);
    stream.once("close", leave);
  }

  return {
    request: (request, response) =>
      take(response, {
        admit: (to) => to.request(request, response),
        refuse: () => refuseOpening(response),
      }),
    upgrade: (request, socket, head) => {
      socket.on("error", () => socket.destroy());
      take(socket, {
        admit: (to) => to.upgrade(request, socket, head),
        refuse: () => refuseOpeningUpgrade(socket),
      });
    },
    open: (to) => {
      serving = to;
      for (const guest of guests) {
        guest.leave();
        guest.admit(to);
      }
    },
    close: () => {
      for (const guest of guests) {
        guest.leave();
        guest.refuse();
      }
    },
  };
}
