// What is wrong with the network and the store at the moment.

import type { StoreErrorCode } from "#data/store/errors.ts";

/** slow: commits take seconds; else every call fails with that code. */
type StoreMood = "fine" | "slow" | Extract<StoreErrorCode, "unavailable" | "full" | "io">;

export type Weather = {
  store: StoreMood;
  /** The longest that a frame is held up beyond the usual, in milliseconds. */
  lagMs: number;
};

export const fairWeather = (): Weather => ({ store: "fine", lagMs: 0 });
