import { signInPath, signUpPath } from "#site/sign-in/addresses.ts";
import type { Desk, Seated } from "#site/sign-in/desk.ts";
import { Objection } from "#site/sign-in/objection.tsx";

import type { SignInPlace } from "./data.ts";

type WhoProps = {
  gate: SignInPlace;
  seated: Seated;
  desk: Desk | null;
  /** What signing in is good for here. */
  reason: string;
  /** What nobody can do on a server without accounts. */
  without: string;
};

/** Who reads the page, as far as it knows, and the way in. Its height is alike in all states. */
export function Who({ gate, seated, desk, reason, without }: WhoProps) {
  return (
    <div class="who">
      <noscript>
        <p class="sub">Everything can be read without JavaScript; taking part needs it.</p>
      </noscript>
      {gate.provider === null ? (
        <p class="sub">This server has no accounts. {without}</p>
      ) : (
        <Known {...{ gate, seated, desk, reason }} />
      )}
    </div>
  );
}

function Known({ gate: { contact }, seated, desk, reason }: Omit<WhoProps, "without">) {
  if (seated.at === "insecure")
    return (
      <p class="sub">
        Browsers let nobody sign in over plain HTTP from another machine. Open this page by its
        https address to take part.
      </p>
    );
  if (desk === null || seated.at === "looking")
    return <p class="sub who-looking">Looking whether you are signed in…</p>;
  if (seated.at === "away" || seated.at === "refused")
    return (
      <p class="notice bad" role="alert">
        {seated.text} {seated.at === "refused" && <Objection contact={contact} />}
      </p>
    );
  if (seated.at === "in")
    return (
      <p class="sub">
        Signed in as <a href="/account">{seated.account.handle ?? "somebody without a handle"}</a>.
      </p>
    );
  return <SignIn reason={reason} />;
}

function SignIn({ reason }: { reason: string }) {
  const here = location.pathname + location.search;
  return (
    <>
      <p class="sub">{reason}</p>
      <p class="actions">
        <a class="button" href={signInPath(here)}>
          Sign in
        </a>
        <a class="button quiet" href={signUpPath(here)}>
          Create an account
        </a>
      </p>
    </>
  );
}
