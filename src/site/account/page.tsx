import { Said } from "#site/look/said.tsx";
import { OUT, useDesk } from "#site/sign-in/desk.ts";
import type { Desk, Seated } from "#site/sign-in/desk.ts";
import { Doors } from "#site/sign-in/doors.tsx";
import { Mailed } from "#site/sign-in/mailed.tsx";
import { ChoosePassword, NewPassword } from "#site/sign-in/new-password.tsx";
import { Objection } from "#site/sign-in/objection.tsx";
import { Looking, Step } from "#site/sign-in/step.tsx";

import type { AccountData } from "./data.ts";
import { Own } from "./own.tsx";

/** The way in, and everything that somebody may do about their account. */
export function AccountPage({ data }: { data: AccountData }) {
  const { seated, desk, said } = useDesk(data.provider);
  return (
    <div class="account-page">
      {data.provider === null ? <NoAccounts /> : <Place {...{ data, seated, desk }} />}
      <Said text={said} />
    </div>
  );
}

function NoAccounts() {
  return (
    <Step title="No accounts here">
      <p class="lead">
        This ladder has no accounts: whoever has a bot's token plays with it.{" "}
        <a href="/create-bot">Create a bot</a> takes a name and nothing else.
      </p>
    </Step>
  );
}

type PlaceProps = { data: AccountData; seated: Seated; desk: Desk | null };

function Place({ data, seated, desk }: PlaceProps) {
  if (seated.at === "insecure")
    return (
      <Step title="Account">
        <p class="notice bad">
          Browsers let nobody sign in over plain HTTP from another machine. Open this page by its
          https address, or on the machine of the ladder itself.
        </p>
      </Step>
    );
  if (desk === null || seated.at === "looking")
    return (
      <Looking title="Account" words="Looking whether you are signed in…">
        Signing in needs JavaScript. Without it you can read, watch, and{" "}
        <a href="/guide/quick-start">register bots from a terminal</a>.
      </Looking>
    );
  switch (seated.at) {
    case "out":
      return <Doors desk={desk} seated={seated} />;
    case "mailed":
      return <Mailed desk={desk} seated={seated} />;
    case "new password":
      return <NewPassword desk={desk} />;
    case "choose password":
      return <ChoosePassword desk={desk} seated={seated} />;
    case "in":
      return <Own {...{ data, desk }} account={seated.account} />;
    case "refused":
      return <Refused desk={desk} text={seated.text} contact={data.contact} />;
    case "away":
      return <Away desk={desk} text={seated.text} />;
  }
}

function Away({ desk, text }: { desk: Desk; text: string }) {
  return (
    <Step title="Not reached">
      <p class="notice bad" role="alert">
        {text}
      </p>
      <p>
        <button
          type="button"
          class="button"
          onClick={() => {
            desk.show({ at: "looking" });
            void desk.reload();
          }}
        >
          Try again
        </button>
      </p>
    </Step>
  );
}

type RefusedProps = { desk: Desk; text: string; contact: string | null };

function Refused({ desk, text, contact }: RefusedProps) {
  const leave = async () => {
    await desk.identity.signOut("local");
    desk.show(OUT);
  };
  return (
    <Step title="Your account is banned">
      <p class="notice bad" role="alert">
        {text}
      </p>
      <p>
        <Objection contact={contact} />
      </p>
      <p>
        <button type="button" class="button quiet" onClick={() => void leave()}>
          Sign out
        </button>
      </p>
    </Step>
  );
}
