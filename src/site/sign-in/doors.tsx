import { Form } from "#site/look/form.tsx";
import type { FormQuestion, FormRefusal } from "#site/look/form.tsx";

import { cameFrom } from "./addresses.ts";
import { readAccount } from "./desk.ts";
import type { Desk, Door, Seated } from "./desk.ts";
import { AWAY, socialName } from "./identity-words.ts";
import { MailElsewhere } from "./mail-elsewhere.tsx";
import { Step } from "./step.tsx";

type DoorsProps = { desk: Desk; seated: Extract<Seated, { at: "out" }> };

const TITLES: Record<Door, string> = {
  "sign in": "Sign in",
  "sign up": "Create an account",
  recover: "A new password",
};

/** Signing in, signing up, and asking for another password. */
export function Doors({ desk, seated: { door, email, notice } }: DoorsProps) {
  const { ways } = desk;
  const isClosed = door === "sign up" && ways?.takesNewPeople === false;
  return (
    <Step title={TITLES[door]}>
      {notice !== null && (
        <p class="notice" role="alert">
          {notice}
        </p>
      )}
      <Reason door={door} />
      {door !== "sign in" && desk.place.own?.mail === "operator" && (
        <MailElsewhere mail="operator" />
      )}
      {isClosed ? (
        <p class="notice">This ladder takes no new accounts at present.</p>
      ) : (
        <>
          {ways?.hasPasswords !== false && <Entry key={door} {...{ desk, door, email }} />}
          {door !== "recover" && <Social desk={desk} />}
        </>
      )}
      <OtherDoors {...{ desk, door, email }} />
    </Step>
  );
}

/** What an account is for here, by where somebody came from. */
function Reason({ door }: { door: Door }) {
  const from = cameFrom(location.search) ?? "";
  if (door === "recover")
    return <p class="lead">We'll email you a link and a 6-digit code to reset your password.</p>;
  if (from.startsWith("/create-bot"))
    return <p class="lead">A bot belongs to an account. After this you are back at your bot.</p>;
  if (from.startsWith("/account/authorize"))
    return <p class="lead">A program waits for your answer. After this you are back at it.</p>;
  if (from.startsWith("/ladders") || from.startsWith("/achievements"))
    return <p class="lead">An account enters a ladder. After this you are back at it.</p>;
  return <p class="lead">An account owns your bots: their names, their tokens, their record.</p>;
}

/** The page that a mail leads back to, in this very browser. */
export const backHere = (): string => location.origin + location.pathname + location.search;

const ADDRESS: FormQuestion = { name: "email", label: "Address", kind: "address" };
const PASSWORD: FormQuestion = { name: "password", label: "Password", kind: "password" };

/** What a password has to be is known of the ladder's own provider alone. */
export function newPassword({ place: { own } }: Desk, label: string): FormQuestion {
  const [least, most] = own?.password_length ?? [null, null];
  const length = least === null ? "" : `${least} to ${most} characters. `;
  const hint = `${length}A sentence is fine, and a password manager is better.`;
  return { name: "password", label, kind: "new password", hint };
}

type EntryProps = { desk: Desk; door: Door; email: string };

function Entry({ desk, door, email }: EntryProps) {
  const address = { ...ADDRESS, given: email };
  switch (door) {
    case "sign in":
      return (
        <Form
          id="sign-in"
          questions={[address, PASSWORD]}
          action="Sign in"
          waiting="Signing in…"
          send={({ email = "", password = "" }) => signIn(desk, email, password)}
        />
      );
    case "sign up":
      return (
        <Form
          id="sign-up"
          questions={[address, newPassword(desk, "Password")]}
          action="Create the account"
          waiting="Creating…"
          send={({ email = "", password = "" }) => signUp(desk, email, password)}
        />
      );
    case "recover":
      return (
        <Form
          id="recover"
          questions={[address]}
          action="Send the mail"
          waiting="Sending…"
          send={({ email = "" }) => recover(desk, email)}
        />
      );
  }
}

/** The library tells of a sign-in too, but only after the account has been asked for. */
async function signIn(desk: Desk, email: string, password: string): Promise<FormRefusal | null> {
  const refusal = await desk.identity.signIn(email, password);
  if (refusal === null) desk.show(await readAccount(desk.ask));
  return refusal;
}

async function signUp(desk: Desk, email: string, password: string): Promise<FormRefusal | null> {
  const outcome = await desk.identity.signUp(email, password, backHere());
  const typed = desk.place.own === null ? null : password;
  if (outcome === "mailed") desk.show({ at: "mailed", purpose: "signup", email, password: typed });
  else if (outcome === "in") await desk.reload();
  else return outcome;
  return null;
}

async function recover(desk: Desk, email: string): Promise<FormRefusal | null> {
  const refusal = await desk.identity.resend(email, "recovery", backHere());
  if (refusal === null) desk.show({ at: "mailed", purpose: "recovery", email, password: null });
  return refusal;
}

function Social({ desk }: { desk: Desk }) {
  const { ways, identity } = desk;
  if (ways === null || ways.social.length === 0) return null;
  const leave = async (id: string) => {
    if ((await identity.signInBy(id, backHere())) !== null) desk.say(AWAY);
  };
  return (
    <p class="actions">
      {ways.social.map((id) => (
        <button key={id} type="button" class="button quiet" onClick={() => void leave(id)}>
          Go on with {socialName(id)}
        </button>
      ))}
    </p>
  );
}

const WORDS: Record<Door, string> = {
  "sign in": "I have an account",
  "sign up": "I have no account yet",
  recover: "I have forgotten my password",
};

function OtherDoors({ desk, door, email }: EntryProps) {
  const others = (Object.keys(WORDS) as Door[]).filter((other) => other !== door);
  return (
    <p class="other-doors">
      {others.map((other) => (
        <button
          key={other}
          type="button"
          class="link-button"
          onClick={({ currentTarget }) => {
            const typed = typedAddress(currentTarget) ?? email;
            desk.show({ at: "out", door: other, email: typed, notice: null });
          }}
        >
          {WORDS[other]}
        </button>
      ))}
    </p>
  );
}

/** What stands in the form next to a button, so that nobody types it again behind another door. */
const typedAddress = (button: HTMLElement): string | undefined =>
  button.closest(".way-in")?.querySelector<HTMLInputElement>('input[name="email"]')?.value.trim();
