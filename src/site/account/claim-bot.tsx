import { Form } from "#site/look/form.tsx";
import type { Desk } from "#site/sign-in/desk.ts";
import { inForm } from "#site/sign-in/ladder.ts";

/** For a bot that was registered without an account: its token is enough to take it. */
export function ClaimBot({ desk }: { desk: Desk }) {
  return (
    <details class="claim">
      <summary>Claim a bot that has no account yet</summary>
      <p class="sub">
        Whoever has the token of a bot may make it theirs. Token, versions and record stay as they
        are, and the bot plays on.
      </p>
      <Form
        id="claim"
        questions={[{ name: "token", label: "Token of the bot", kind: "secret" }]}
        action="Claim it"
        waiting="Claiming…"
        send={async ({ token = "" }) => {
          const answer = await desk.ask<{ name: string }>("POST", "/api/account/claim", { token });
          if ("refusal" in answer)
            return inForm(answer.refusal, { invalid_token: "token", already_claimed: "token" });
          desk.say(`${answer.value.name} is yours.`);
          await desk.reload();
          return null;
        }}
      />
    </details>
  );
}
