// The server sends the same console data to every visitor.

import type { SignInProvider } from "#site/account/data.ts";

export type ConsoleData = {
  /** Null on a ladder without accounts. */
  provider: SignInProvider | null;
  reason_length: number;
};
