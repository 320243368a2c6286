// The database itself.

import { looks } from "./method.ts";

export const DATABASE = {
  /** Number of the schema that was applied last. */
  schema: looks<() => Promise<number>>(),
  /** Reads everything; one line for each thing that is damaged or inconsistent. */
  faults: looks<() => Promise<string[]>>(),
};
