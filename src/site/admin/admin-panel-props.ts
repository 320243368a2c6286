// Props of every console part.

import type { AuthContext } from "#site/sign-in/auth-context.ts";

import type { ConsoleData } from "./data.ts";

export type AdminPanelProps = {
  data: ConsoleData;
  auth: AuthContext;
  /** ID of the selected item; null for the list. */
  selectedId: string | null;
  /** Selects another item. */
  onSelect: (selectedId: string | null) => void;
  /** Sets the warning about unsaved changes; null if there are none. */
  setUnsavedWarning: (loss: string | null) => void;
};
