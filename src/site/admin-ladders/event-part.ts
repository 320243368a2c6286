// What the parts of an event's page are given.

import type { AdminEvent } from "#core/resources/event.ts";
import type { PartProps } from "#site/admin/part.ts";

export type EventPartProps = Pick<PartProps, "data" | "desk"> & {
  event: AdminEvent;
  /** Of its routes. */
  path: string;
  again: () => Promise<void>;
};
