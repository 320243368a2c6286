// How an account gets onto a ladder, decided from what it brings.

import { phaseAt } from "./ladder.ts";
import type { LadderDefinition } from "./ladder.ts";

export type EnrollmentState = "pending" | "active" | "revoked";

/** What somebody shows at the door; at most one of both. */
export type Shown = { invitation?: string | undefined; password?: string | undefined };

export type EnrollmentRefusal =
  | "ladder_closed"
  | "enrollment_revoked"
  | "invalid_invitation"
  | "wrong_password";

/** What is to happen: a step that needs nothing more, something to be looked at, or nothing. */
export type Entrance =
  | { kind: "refused"; code: EnrollmentRefusal }
  | { kind: "member" }
  | { kind: "enters"; to: "pending" | "active" }
  | { kind: "invitation"; code: string }
  | { kind: "password"; password: string };

/**
 * An invitation opens every kind of access; what one that cannot be used comes to is decided when
 * it is looked at. A password is looked at only where one is asked for.
 */
export function entranceOf(
  ladder: LadderDefinition,
  instant: string,
  membership: EnrollmentState | null,
  { invitation, password }: Shown,
): Entrance {
  if (isShut(ladder, instant)) return refused("ladder_closed");
  if (membership === "revoked") return refused("enrollment_revoked");
  if (membership === "active") return { kind: "member" };
  if (invitation !== undefined) return { kind: "invitation", code: invitation };
  switch (ladder.access) {
    case "open":
      return { kind: "enters", to: "active" };
    case "approval":
      return { kind: "enters", to: "pending" };
    case "invite":
      return refused("invalid_invitation");
    case "password":
      return password === undefined ? refused("wrong_password") : { kind: "password", password };
  }
}

/** Whether nobody gets onto it any more; one that is to open takes people. */
export const isShut = (ladder: LadderDefinition, instant: string): boolean =>
  !ladder.enabled || phaseAt(ladder, instant) === "closed";

const refused = (code: EnrollmentRefusal): Entrance => ({ kind: "refused", code });
