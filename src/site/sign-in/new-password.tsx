import { Form } from "#site/look/form.tsx";

import type { Desk } from "./desk.ts";
import { newPassword } from "./doors.tsx";
import { Step } from "./step.tsx";

/** The last step of a recovery: the mail has signed the person in. */
export function NewPassword({ desk }: { desk: Desk }) {
  return (
    <Step title="Choose a new password" hasFocus>
      <p class="lead">You are signed in. The new password ends every other session.</p>
      <Form
        id="new-password"
        questions={[newPassword(desk, "New password")]}
        action="Keep it"
        waiting="Keeping it…"
        isFocused
        send={async ({ password = "" }) => {
          const refusal = await desk.identity.setPassword(password);
          if (refusal !== null) return refusal;
          desk.say("Your password is changed.");
          await desk.reload();
          return null;
        }}
      />
    </Step>
  );
}
