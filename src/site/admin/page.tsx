import { Said } from "#site/look/said.tsx";
import { signInPath } from "#site/sign-in/addresses.ts";
import { useDesk } from "#site/sign-in/desk.ts";
import type { Desk, Seated } from "#site/sign-in/desk.ts";
import { Looking, Step } from "#site/sign-in/step.tsx";

import { Console } from "./console.tsx";
import type { ConsoleData } from "./data.ts";

const TITLE = "Console";

/** Where operators see what goes on, and change it. */
export function ConsolePage({ data }: { data: ConsoleData }) {
  const { seated, desk, said } = useDesk(data.provider);
  return (
    <div class="console-page">
      {data.provider === null ? (
        <Step title={TITLE}>
          <p class="lead">
            This ladder has no accounts, so nobody can sign in as its operator. Start it with{" "}
            <code>--accounts embedded</code>;{" "}
            <a href="/guide/operating#choose-who-can-play">the guide</a> has the rest.
          </p>
        </Step>
      ) : desk === null || seated.at === "looking" ? (
        <Looking title={TITLE} words="Looking who you are…">
          The console needs JavaScript. Without it, <code>bout admin</code> does the same from a
          terminal.
        </Looking>
      ) : (
        <Place {...{ data, desk, seated }} />
      )}
      <Said text={said} />
    </div>
  );
}

function Place({ data, desk, seated }: { data: ConsoleData; desk: Desk; seated: Seated }) {
  if (seated.at === "in")
    return seated.account.admin ? <Console {...{ data, desk }} /> : <NotForYou />;
  if (seated.at === "away" || seated.at === "refused")
    return (
      <Step title={TITLE}>
        <p class="notice bad" role="alert">
          {seated.text}
        </p>
        <p>
          <button type="button" class="button" onClick={() => void desk.reload()}>
            Try again
          </button>
        </p>
      </Step>
    );
  return (
    <Step title={TITLE}>
      <p class="lead">Operators run this ladder from here. Sign in to go on.</p>
      <p>
        <a class="button" href={signInPath(location.pathname + location.search)}>
          Sign in
        </a>
      </p>
    </Step>
  );
}

function NotForYou() {
  return (
    <Step title={TITLE}>
      <p class="lead">
        You are signed in, but not as an operator of this ladder. An operator can make you one, or
        the ladder is started with your address in <code>--admin-email</code>.
      </p>
      <p>
        <a class="button quiet" href="/account">
          Your account
        </a>
      </p>
    </Step>
  );
}
