import type { AdminEvent } from "#core/api/event.ts";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";

export type EventPanelProps = Pick<AdminPanelProps, "data" | "auth"> & {
  event: AdminEvent;
  /** Base path of the event's API routes. */
  path: string;
  reload: () => Promise<void>;
};
