// Runs a house bot's workers in this thread, for a world without threads. Workers can hang or die.

import { openHouseSessions } from "#live/house-bots/house-sessions.ts";
import type { HouseSessionsDeps, HouseMessage } from "#live/house-bots/house-sessions.ts";
import type { HouseWorker } from "#live/house-bots/house-worker-client.ts";

export type LocalPool = HouseWorker & {
  /** Ignores all further messages but stays alive. */
  hang(): void;
};

export type LocalPoolDeps<Hello, Observation> = Omit<
  HouseSessionsDeps<Hello, Observation>,
  "send"
> & {
  /** Delays a message in either direction. Messages stay in order. */
  carry(callback: () => void): void;
};

export function openLocalPool<Hello, Observation>(
  deps: LocalPoolDeps<Hello, Observation>,
  handleMessage: (message: HouseMessage) => void,
): LocalPool {
  const exited = Promise.withResolvers<string>();
  let isRunning = true;
  let isHung = false;
  const carry = (callback: () => void) => {
    deps.carry(() => {
      if (isRunning) callback();
    });
  };
  const handleOrder = openHouseSessions({
    ...deps,
    send: (message) => carry(() => handleMessage(message)),
  });
  return {
    send: (order) => {
      carry(() => {
        if (!isHung) handleOrder(order);
      });
    },
    hang: () => {
      isHung = true;
    },
    terminate: () => {
      isRunning = false;
      exited.resolve("worker has exited");
    },
    exit: exited.promise,
  };
}
