import type { EventProgress } from "#core/api/event.ts";
import { AppealContact } from "#site/sign-in/appeal-contact.tsx";

import type { SignInInfo } from "./data.ts";
import { enterLadderPath } from "./event-texts.ts";

type ParticipationNoticeProps = Pick<SignInInfo, "contact"> & { progress: EventProgress };

export function ParticipationNotice({
  progress: { event, membership },
  contact,
}: ParticipationNoticeProps) {
  if (membership === "active" || event.phase === "closed") return null;
  if (membership === "revoked")
    return (
      <p class="notice">
        The operator ended your membership of the ladder, so your bots' games don't count.{" "}
        <AppealContact contact={contact} />
      </p>
    );
  if (membership === "pending")
    return (
      <p class="notice">
        You've asked to join the ladder. Games count once the operator approves you.
      </p>
    );
  return (
    <p class="notice">
      Games only count while you're a member of the ladder.{" "}
      <a href={enterLadderPath(event.ladder_id)}>Join the ladder</a>
    </p>
  );
}
