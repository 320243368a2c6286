import type { RegisteredBot } from "#core/api/bot.ts";
import { toFormRefusal } from "#site/sign-in/account-api.ts";
import { AppealContact } from "#site/sign-in/appeal-contact.tsx";
import type { AuthContext, AuthState } from "#site/sign-in/auth-context.ts";
import { signInPath, signUpPath } from "#site/sign-in/auth-urls.ts";
import { Form } from "#site/ui/form.tsx";
import { createPath, userPath } from "#site/ui/links.ts";

import type { CreateData } from "./data.ts";
import { botNameField } from "./register-bot-form.tsx";
import { REGISTRATION_LOST_TEXT } from "./register-bot-request.ts";

type RegisterAccountBotFormProps = {
  data: CreateData;
  auth: AuthContext;
  handle: string;
  onRegistered: (bot: RegisteredBot) => void;
};

export function RegisterAccountBotForm({
  data,
  auth,
  handle,
  onRegistered,
}: RegisterAccountBotFormProps) {
  return (
    <>
      <p class="own-form-who">
        Signed in as{" "}
        <a href={userPath(handle)}>
          <bdi>{handle}</bdi>
        </a>
        , who will own the bot. <a href="/account">Your account</a>
      </p>
      <Form
        id="new"
        fields={[botNameField(data)]}
        submitLabel="Register"
        busyLabel="Registering…"
        onSubmit={async ({ name = "" }) => {
          const response = await auth.sendRequest<RegisteredBot>("POST", "/api/account/bots", {
            name,
          });
          if ("value" in response) {
            onRegistered(response.value);
            return null;
          }
          const { refusal } = response;
          if (refusal.code === "away") return { field: null, text: REGISTRATION_LOST_TEXT };
          return toFormRefusal(refusal, { invalid_bot: "name", bot_limit: "name" });
        }}
      />
    </>
  );
}

type AccountRequiredProps = { authState: AuthState } & Pick<CreateData, "contact" | "ladder">;

/** Says what is needed to create a bot. All states have the same height. */
export function AccountRequired({ authState, contact, ladder }: AccountRequiredProps) {
  const createPagePath = createPath({ ladder: ladder?.id });
  if (authState.status === "in")
    return (
      <div class="account-needed">
        <p>You're signed in, but don't have a handle yet. It's the name shown with your bots.</p>
        <p class="actions">
          <a class="button" href={signInPath(createPagePath)}>
            Choose a handle
          </a>
        </p>
      </div>
    );
  if (authState.status === "away" || authState.status === "refused")
    return (
      <>
        <p class="notice bad" role="alert">
          {authState.text}
        </p>
        {authState.status === "refused" && (
          <p>
            <AppealContact contact={contact} />
          </p>
        )}
      </>
    );
  return (
    <div class="account-needed">
      <p>
        On this ladder, a bot belongs to an account. Signing up takes a minute, and you'll return to
        this page.
      </p>
      <p class="actions">
        <a class="button" href={signUpPath(createPagePath)}>
          Create an account
        </a>
        <a class="button quiet" href={signInPath(createPagePath)}>
          Sign in
        </a>
      </p>
    </div>
  );
}
