// Holds requests and upgrades while the server is starting. Because the port is already open, a
// second server on the same port fails immediately, and a proxy's first request isn't refused.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import type { Clock } from "#base/clock/clock.ts";
import { refuseWhileStarting, refuseUpgradeWhileStarting } from "#web/http/client-error.ts";

export type RequestHandlers = {
  request(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
};

export type StartupQueue = RequestHandlers & {
  /** Forwards all held and later requests and upgrades, in order of arrival. */
  open(handlers: RequestHandlers): void;
  /** Refuses all held requests and upgrades. */
  close(): void;
};

const MAX_WAIT_MS = 5000;
/** Above this number, requests are refused immediately to bound memory. */
const MAX_WAITING = 1000;

type PendingArrival = { forward(handlers: RequestHandlers): void; refuse(): void; release(): void };

export function openStartupQueue(clock: Pick<Clock, "after">): StartupQueue {
  const pendingArrivals = new Set<PendingArrival>();
  let handlers: RequestHandlers | null = null;

  function enqueue(
    stream: Duplex | ServerResponse,
    { forward, refuse }: Omit<PendingArrival, "release">,
  ): void {
    if (handlers !== null) return forward(handlers);
    if (pendingArrivals.size >= MAX_WAITING) return refuse();
    const release = () => {
      cancel();
      pendingArrivals.delete(arrival);
      stream.off("close", release);
    };
    const arrival: PendingArrival = { forward, refuse, release };
    const cancel = clock.after(MAX_WAIT_MS, () => {
      release();
      refuse();
    });
    pendingArrivals.add(arrival);
    stream.once("close", release);
  }

  return {
    request: (request, response) =>
      enqueue(response, {
        forward: (target) => target.request(request, response),
        refuse: () => refuseWhileStarting(response),
      }),
    upgrade: (request, socket, head) => {
      socket.on("error", () => socket.destroy());
      enqueue(socket, {
        forward: (target) => target.upgrade(request, socket, head),
        refuse: () => refuseUpgradeWhileStarting(socket),
      });
    },
    open: (target) => {
      handlers = target;
      for (const arrival of pendingArrivals) {
        arrival.release();
        arrival.forward(target);
      }
    },
    close: () => {
      for (const arrival of pendingArrivals) {
        arrival.release();
        arrival.refuse();
      }
    },
  };
}
