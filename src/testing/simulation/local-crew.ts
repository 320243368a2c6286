// A house bot's crew in this thread: for a world without threads, where it can also hang or die.

import { openCrew } from "#live/house/house-crew.ts";
import type { CrewDeps, CrewWord } from "#live/house/house-crew.ts";
import type { Crew } from "#live/house/house-line.ts";

export type LocalCrew = Crew & {
  /** Stops hearing anything, without dying. */
  hang(): void;
};

export type LocalCrewDeps<Hello, Observation> = Omit<CrewDeps<Hello, Observation>, "say"> & {
  /** Carries orders there and words back, later and in order. */
  carry(call: () => void): void;
};

export function openLocalCrew<Hello, Observation>(
  deps: LocalCrewDeps<Hello, Observation>,
  hear: (word: CrewWord) => void,
): LocalCrew {
  const gone = Promise.withResolvers<string>();
  let isThere = true;
  let isHung = false;
  const carry = (call: () => void) => {
    deps.carry(() => {
      if (isThere) call();
    });
  };
  const follow = openCrew({ ...deps, say: (word) => carry(() => hear(word)) });
  return {
    post: (order) => {
      carry(() => {
        if (!isHung) follow(order);
      });
    },
    hang: () => {
      isHung = true;
    },
    end: () => {
      isThere = false;
      gone.resolve("it has ended");
    },
    gone: gone.promise,
  };
}
