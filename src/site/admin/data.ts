// Console data. It's the same for every visitor.

import type { SignInProvider } from "#site/account/data.ts";

export type ConsoleData = {
  /** Null on a ladder without accounts. */
  provider: SignInProvider | null;
  /** Max characters of a reason. */
  reason_length: number;
};
