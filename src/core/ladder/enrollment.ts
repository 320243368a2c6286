import { phaseAt } from "./ladder.ts";
import type { LadderDefinition } from "./ladder.ts";

export type EnrollmentState = "pending" | "active" | "revoked";

export type EnrollmentCredentials = {
  invitation?: string | undefined;
  password?: string | undefined;
};

export type EnrollmentRefusal =
  | "ladder_closed"
  | "enrollment_revoked"
  | "invalid_invitation"
  | "wrong_password";

export type EnrollmentStep =
  | { kind: "refused"; code: EnrollmentRefusal }
  | { kind: "member" }
  | { kind: "enters"; to: "pending" | "active" }
  | { kind: "invitation"; code: string }
  | { kind: "password"; password: string };

/**
 * Returns the next step for an account that wants to join. An invitation works in every access
 * mode. A password counts only if the ladder requires one. Neither is verified here.
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

/** Returns whether nobody can join anymore. A ladder that hasn't opened yet accepts members. */
export const isEnrollmentClosed = (ladder: LadderDefinition, instant: string): boolean =>
  !ladder.enabled || phaseAt(ladder, instant) === "closed";

const refuse = (code: EnrollmentRefusal): EnrollmentStep => ({ kind: "refused", code });
