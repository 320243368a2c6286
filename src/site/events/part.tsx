import type { EventProgress } from "#core/resources/event.ts";
import { Objection } from "#site/sign-in/objection.tsx";

import type { SignInPlace } from "./data.ts";
import { enterPath } from "./words.ts";

type PartProps = Pick<SignInPlace, "contact"> & { progress: EventProgress };

/** Whether somebody takes part, and what it would take. */
export function Part({ progress: { event, membership }, contact }: PartProps) {
  if (membership === "active" || event.phase === "closed") return null;
  if (membership === "revoked")
    return (
      <p class="notice">
        The operator has ended your membership of the ladder, so games of your bots do not count.{" "}
        <Objection contact={contact} />
      </p>
    );
  if (membership === "pending")
    return (
      <p class="notice">
        You have asked to enter the ladder. Games count once the operator has let you in.
      </p>
    );
  return (
    <p class="notice">
      Games count while you are in the ladder, and you are not.{" "}
      <a href={enterPath(event.ladder_id)}>Enter it</a>
    </p>
  );
}
