// What every part of the console is given.

import type { Desk } from "#site/sign-in/desk.ts";

import type { ConsoleData } from "./data.ts";

export type PartProps = {
  data: ConsoleData;
  desk: Desk;
  /** Which of the things that the part lists is looked at; null for the list. */
  of: string | null;
  /** Looks at another one. */
  look: (of: string | null) => void;
  /** Says what leaving the part would lose, in a sentence; null once that is nothing. */
  keep: (loss: string | null) => void;
};
