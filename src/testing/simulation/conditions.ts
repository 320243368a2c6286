import type { StoreErrorCode } from "#data/store/errors.ts";

/** `slow`: commits take seconds. An error code: every call fails with it. */
type StoreCondition = "fine" | "slow" | Extract<StoreErrorCode, "unavailable" | "full" | "io">;

export type SimulatedConditions = {
  store: StoreCondition;
  maxLagMs: number;
};

export const createConditions = (): SimulatedConditions => ({ store: "fine", maxLagMs: 0 });
