// Decides how an account joins a ladder, from the credentials it provides.

import { phaseAt } from "./ladder.ts";
import type { LadderDefinition } from "./ladder.ts";

export type EnrollmentState = "pending" | "active" | "revoked";

/** Credentials provided with an enrollment: no more than one of the two. */
export type EnrollmentCredentials = {
  invitation?: string | undefined;
  password?: string | undefined;
};

export type EnrollmentRefusal =
  | "ladder_closed"
  | "enrollment_revoked"
  | "invalid_invitation"
  | "wrong_password";

/** The next step: a membership change, a credential to verify, or a refusal. */
export type EnrollmentStep =
  | { kind: "refused"; code: EnrollmentRefusal }
  | { kind: "member" }
  | { kind: "enters"; to: "pending" | "active" }
  | { kind: "invitation"; code: string }
  | { kind: "password"; password: string };

/**
 * An invitation works for every access mode; it's verified later. A password is verified only if
 * the ladder requires one.
 */
export function nextEnrollmentStep(
  ladder: LadderDefinition,
  instant: string,
  membership: EnrollmentState | null,
  { invitation, password }: EnrollmentCredentials,
): EnrollmentStep {
  if (isEnrollmentClosed(ladder, instant)) return refuse("ladder_closed");
  if (membership === "revoked") return refuse("enrollment_revoked");
  if (membership === "active") return { kind: "member" };
  if (invitation !== undefined) return { kind: "invitation", code: invitation };
  switch (ladder.access) {
    case "open":
      return { kind: "enters", to: "active" };
    case "approval":
      return { kind: "enters", to: "pending" };
    case "invite":
      return refuse("invalid_invitation");
    case "password":
      return password === undefined ? refuse("wrong_password") : { kind: "password", password };
  }
}

/** Returns whether enrollment is closed. Ladders that open later accept members. */
export const isEnrollmentClosed = (ladder: LadderDefinition, instant: string): boolean =>
  !ladder.enabled || phaseAt(ladder, instant) === "closed";

const refuse = (code: EnrollmentRefusal): EnrollmentStep => ({ kind: "refused", code });
