import type { AuthContext } from "#site/sign-in/auth-context.ts";

import type { ConsoleData } from "./data.ts";

export type AdminPanelProps = {
  data: ConsoleData;
  auth: AuthContext;
  selectedId: string | null;
  onSelect: (selectedId: string | null) => void;
  /**
   * Sets the warning shown before unsaved changes are lost. Pass null if there are no unsaved
   * changes.
   */
  setUnsavedWarning: (loss: string | null) => void;
};
