import type { UpgradeOptions } from "./upgrade.ts";

export const QUIET_UPGRADE: UpgradeOptions = { keepsCopy: true, log: () => {} };
