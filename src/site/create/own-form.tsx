import type { RegisteredBot } from "#core/resources/bot.ts";
import { Form } from "#site/look/form.tsx";
import { createPath, userPath } from "#site/look/links.ts";
import { signInPath, signUpPath } from "#site/sign-in/addresses.ts";
import type { Desk, Seated } from "#site/sign-in/desk.ts";
import { inForm } from "#site/sign-in/ladder.ts";
import { Objection } from "#site/sign-in/objection.tsx";

import { nameQuestion } from "./create-form.tsx";
import { LOST } from "./create-request.ts";
import type { CreateData } from "./data.ts";

type OwnFormProps = {
  data: CreateData;
  desk: Desk;
  /** The handle of the person who is signed in. */
  handle: string;
  onBot: (bot: RegisteredBot) => void;
};

/** Registers a bot for the account of the person who is signed in. */
export function OwnForm({ data, desk, handle, onBot }: OwnFormProps) {
  return (
    <>
      <p class="own-form-who">
        Signed in as{" "}
        <a href={userPath(handle)}>
          <bdi>{handle}</bdi>
        </a>
        , whose bot it will be. <a href="/account">Your account</a>
      </p>
      <Form
        id="new"
        questions={[nameQuestion(data)]}
        action="Register"
        waiting="Registering…"
        send={async ({ name = "" }) => {
          const answer = await desk.ask<RegisteredBot>("POST", "/api/account/bots", { name });
          if ("value" in answer) {
            onBot(answer.value);
            return null;
          }
          const { refusal } = answer;
          if (refusal.code === "away") return { field: null, text: LOST };
          return inForm(refusal, { invalid_bot: "name", bot_limit: "name" });
        }}
      />
    </>
  );
}

type AccountNeededProps = { seated: Seated } & Pick<CreateData, "contact" | "ladder">;

/** What stands between a visitor and a bot of their own. Its lines are as many in every state. */
export function AccountNeeded({ seated, contact, ladder }: AccountNeededProps) {
  const here = createPath({ ladder: ladder?.id });
  if (seated.at === "in")
    return (
      <div class="account-needed">
        <p>You are signed in, and have no handle yet: the name that your bots are shown with.</p>
        <p class="actions">
          <a class="button" href={signInPath(here)}>
            Choose a handle
          </a>
        </p>
      </div>
    );
  if (seated.at === "away" || seated.at === "refused")
    return (
      <>
        <p class="notice bad" role="alert">
          {seated.text}
        </p>
        {seated.at === "refused" && (
          <p>
            <Objection contact={contact} />
          </p>
        )}
      </>
    );
  return (
    <div class="account-needed">
      <p>
        A bot here belongs to an account: an address, a password and a handle. It takes a minute,
        and you come back to this page.
      </p>
      <p class="actions">
        <a class="button" href={signUpPath(here)}>
          Create an account
        </a>
        <a class="button quiet" href={signInPath(here)}>
          Sign in
        </a>
      </p>
    </div>
  );
}
