import { toFormRefusal } from "#site/sign-in/account-api.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { Form } from "#site/ui/form.tsx";

/** Adds an existing bot to the account. The bot's token proves ownership. */
export function ClaimBotForm({ auth }: { auth: AuthContext }) {
  return (
    <details class="claim">
      <summary>Claim a bot that has no account</summary>
      <p class="sub">
        Anyone with a bot's token can claim it. Its token, versions and record don't change, and it
        keeps playing.
      </p>
      <Form
        id="claim"
        fields={[{ name: "token", label: "Bot token", kind: "secret" }]}
        submitLabel="Claim bot"
        busyLabel="Claiming…"
        onSubmit={async ({ token = "" }) => {
          const response = await auth.sendRequest<{ name: string }>("POST", "/api/account/claim", {
            token,
          });
          if ("refusal" in response)
            return toFormRefusal(response.refusal, {
              invalid_token: "token",
              already_claimed: "token",
            });
          auth.showStatusMessage(`You now own ${response.value.name}.`);
          await auth.reload();
          return null;
        }}
      />
    </details>
  );
}
