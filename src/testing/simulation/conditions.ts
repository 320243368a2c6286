// What is currently wrong with the network and the store.

import type { StoreErrorCode } from "#data/store/errors.ts";

/** slow: commits take seconds. A code: every call fails with it. */
type StoreMood = "fine" | "slow" | Extract<StoreErrorCode, "unavailable" | "full" | "io">;

export type Weather = {
  store: StoreMood;
  /** The longest extra delay of a frame, in milliseconds. */
  lagMs: number;
};

export const fairWeather = (): Weather => ({ store: "fine", lagMs: 0 });
