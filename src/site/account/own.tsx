import { useEffect } from "preact/hooks";

import type { Account } from "#core/resources/account.ts";
import { userPath } from "#site/look/links.ts";
import { startPolling } from "#site/public/poll.ts";
import { cameFrom } from "#site/sign-in/addresses.ts";
import { readAccount } from "#site/sign-in/desk.ts";
import type { Desk } from "#site/sign-in/desk.ts";

import { Bots } from "./bots.tsx";
import type { AccountData } from "./data.ts";
import { FirstHandle, Handle } from "./handle.tsx";
import { Keys } from "./keys.tsx";
import { Ladders } from "./ladders.tsx";
import { Leaving } from "./leaving.tsx";
import { Mail } from "./mail.tsx";
import { Programs } from "./programs.tsx";
import { SignInFacts } from "./sign-in-facts.tsx";

export type OwnProps = { data: AccountData; desk: Desk; account: Account };

/** An operator may change things, and other tabs do. */
const LOOK_EVERY_MS = 30_000;

/** The account of the person who is signed in. */
export function Own(props: OwnProps) {
  const { desk, account } = props;
  useEffect(
    () =>
      startPolling({
        load: () => readAccount(desk.ask),
        everyMs: LOOK_EVERY_MS,
        // What does not answer now leaves on the page what was true a moment ago.
        onData: (seated) => {
          if (seated.at !== "away") desk.show(seated);
        },
        onTrouble: () => {},
      }),
    [desk],
  );
  const from = cameFrom(location.search);
  const goesOn = from !== null && account.handle !== null;
  useEffect(() => {
    if (goesOn) location.replace(from);
  }, [goesOn]);
  if (goesOn) return <p class="sub">Going back…</p>;
  return account.handle === null ? (
    <FirstHandle {...props} />
  ) : (
    <Whole {...props} handle={account.handle} />
  );
}

const CONTENTS: readonly [text: string, id: string][] = [
  ["Bots", "bots"],
  ["Ladders", "ladders"],
  ["Agent keys", "keys"],
  ["Programs", "programs"],
  ["Mail", "mail"],
  ["Handle", "handle"],
  ["Sign-in", "sign-in"],
  ["Your data", "your-data"],
];

function Whole(props: OwnProps & { handle: string }) {
  const { account, desk, handle } = props;
  // A link may lead to a part that was not there yet.
  useEffect(() => document.getElementById(location.hash.slice(1))?.scrollIntoView(), []);
  const leave = async () => {
    await desk.identity.signOut("local");
    desk.show({ at: "out", door: "sign in", email: "", notice: "You are signed out." });
  };
  return (
    <>
      <header class="account-head">
        <div>
          <h1>
            <bdi>{handle}</bdi>
          </h1>
          <p class="sub">
            {account.email !== null && <bdi class="address">{account.email}</bdi>}
            {account.admin && <span class="badge">admin</span>}
          </p>
        </div>
        <p class="actions">
          {account.admin && (
            <a class="button quiet" href="/admin">
              Operator console
            </a>
          )}
          <a class="button quiet" href={userPath(handle)}>
            Public page
          </a>
          <button type="button" class="button quiet" onClick={() => void leave()}>
            Sign out
          </button>
        </p>
      </header>
      <div class="account-body">
        <nav class="account-contents" aria-label="On this page">
          {CONTENTS.map(([text, id]) => (
            <a key={id} href={`#${id}`}>
              {text}
            </a>
          ))}
        </nav>
        <div class="account-parts">
          <Bots {...props} />
          <Ladders {...props} />
          <Keys {...props} />
          <Programs {...props} />
          <Mail {...props} />
          <Handle {...props} handle={handle} />
          <SignInFacts {...props} />
          <Leaving {...props} />
        </div>
      </div>
    </>
  );
}
