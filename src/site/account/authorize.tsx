import { useEffect, useState } from "preact/hooks";

import type { Account, Authorization } from "#core/resources/account.ts";
import { returnOf, signInPath } from "#site/sign-in/addresses.ts";
import type { Return } from "#site/sign-in/addresses.ts";
import { useDesk } from "#site/sign-in/desk.ts";
import type { Desk, Seated } from "#site/sign-in/desk.ts";
import { Looking, Step } from "#site/sign-in/step.tsx";

import type { AuthorizeData } from "./data.ts";

const ASKED = "/api/account/mcp/authorization";

/** A program wants to act for somebody, who answers it here. */
export function AuthorizePage({ data }: { data: AuthorizeData }) {
  if (data.refused !== null)
    return (
      <div class="account-page">
        <Refused code={data.refused} />
      </div>
    );
  return <Asking data={data} />;
}

/** What a person can do about a request that is not one; the rest is of the program's makers. */
const REMEDIES: Readonly<Record<string, string>> = {
  invalid_client:
    "This ladder does not know it. A program that nobody lets in is forgotten after a while: let it register again.",
  over_request_rate_limit:
    "Programs were let in from your address too often just now. Wait a minute, then begin in the program again.",
  invalid_target: "It has another address than this ladder's own.",
};
const NO_REMEDY = "Its question was not one that this ladder understands.";

function Refused({ code }: { code: string }) {
  return (
    <Step title="That program cannot ask">
      <p class="notice bad">
        {Object.hasOwn(REMEDIES, code) ? REMEDIES[code] : NO_REMEDY} Nothing was allowed.
      </p>
      <p class="sub">
        How a program gets in is in <a href="/guide/mcp">the guide</a>.
      </p>
      <p class="actions">
        <a class="button quiet" href="/account">
          Your account
        </a>
      </p>
    </Step>
  );
}

function Asking({ data }: { data: AuthorizeData }) {
  const { seated, desk, said } = useDesk(data.provider);
  return (
    <div class="account-page">
      {data.provider === null ? (
        <Step title="No accounts here">
          <p class="lead">This ladder has no accounts, so no program can act for one.</p>
        </Step>
      ) : desk === null || seated.at === "looking" ? (
        <Looking title="A program asks" words="Looking who you are…">
          Answering it needs JavaScript. Nothing is allowed without it.
        </Looking>
      ) : (
        <Answerer {...{ desk, seated }} />
      )}
      <p class="visually-hidden" role="status">
        {said}
      </p>
    </div>
  );
}

function Answerer({ desk, seated }: { desk: Desk; seated: Seated }) {
  if (seated.at === "in") return <Asked desk={desk} account={seated.account} />;
  if (seated.at === "away" || seated.at === "refused")
    return (
      <Step title="A program asks">
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
    <Step title="A program asks">
      <p class="lead">
        A program wants to act for your account on this ladder. Sign in to see which one and what it
        may do; then you are back here.
      </p>
      <p>
        <a class="button" href={signInPath(location.pathname + location.search)}>
          Sign in
        </a>
      </p>
    </Step>
  );
}

type Question = Exclude<Authorization, { redirect_url: string }>;
type Stage =
  | { at: "reading" }
  | { at: "asked"; question: Question; back: Return }
  | { at: "leaving"; to: string }
  | { at: "denied" }
  | { at: "stuck"; text: string; canRetry: boolean };

const NO_WAY_BACK: Stage = {
  at: "stuck",
  text: "The program wants to have the browser sent to an address that this page leads nobody to. Nothing was allowed.",
  canRetry: false,
};

function Asked({ desk, account }: { desk: Desk; account: Account }) {
  const [stage, setStage] = useState<Stage>({ at: "reading" });
  const id = new URLSearchParams(location.search).get("authorization_id") ?? "";
  const read = async () => setStage(await readQuestion(desk, id));
  useEffect(() => void read(), []);
  useEffect(() => {
    if (stage.at === "leaving") location.assign(stage.to);
  }, [stage]);
  switch (stage.at) {
    case "reading":
      return <p class="sub">Asking which program it is…</p>;
    case "leaving":
      return (
        <Step title="Back to the program">
          <p class="lead">
            If nothing happens, <a href={stage.to}>go on to it</a>. This page can be closed then.
          </p>
        </Step>
      );
    case "denied":
      return (
        <Step title="Access denied">
          <p class="lead">The app has no access to your account. You can close this page.</p>
        </Step>
      );
    case "stuck":
      return <Stuck {...stage} onRetry={() => void read()} />;
    case "asked": {
      const answer = async (action: Action) => setStage(await decide(desk, stage.question, action));
      return <Consent {...{ account, answer }} question={stage.question} back={stage.back} />;
    }
  }
}

function Stuck(props: { text: string; canRetry: boolean; onRetry: () => void }) {
  return (
    <Step title="That did not work">
      <p class="notice bad" role="alert">
        {props.text}
      </p>
      <p class="actions">
        {props.canRetry && (
          <button type="button" class="button" onClick={props.onRetry}>
            Try again
          </button>
        )}
        <a class="button quiet" href="/account">
          Your account
        </a>
      </p>
    </Step>
  );
}

type Action = "approve" | "deny";

const GONE =
  "There is no such question, it was answered, or it is older than ten minutes. Let the program ask again.";

async function readQuestion({ ask }: Desk, id: string): Promise<Stage> {
  const answer = await ask<Authorization>(
    "GET",
    `${ASKED}?${new URLSearchParams({ authorization_id: id })}`,
  );
  if ("refusal" in answer) return stuckBy(answer.refusal);
  if ("redirect_url" in answer.value) return leavingTo(answer.value.redirect_url);
  const back = returnOf(answer.value.callback);
  return back === null ? NO_WAY_BACK : { at: "asked", question: answer.value, back };
}

async function decide({ ask }: Desk, question: Question, action: Action): Promise<Stage> {
  const { authorization_id } = question;
  const answer = await ask<{ redirect_url: string }>("POST", ASKED, { authorization_id, action });
  if ("refusal" in answer) return stuckBy(answer.refusal);
  const to = answer.value.redirect_url;
  // Denying access must not start whatever app claims a private scheme.
  if (action === "deny" && returnOf(to)?.kind === "app") return { at: "denied" };
  return leavingTo(to);
}

function stuckBy({ code, text }: { code?: string | undefined; text: string }): Stage {
  const isGone = code === undefined;
  return { at: "stuck", text: isGone ? GONE : text, canRetry: !isGone };
}

const leavingTo = (to: string): Stage =>
  returnOf(to) === null ? NO_WAY_BACK : { at: "leaving", to };

type ConsentProps = {
  account: Account;
  question: Question;
  back: Return;
  answer: (action: Action) => Promise<void>;
};

function Consent({ account, question: { client, scopes }, back, answer }: ConsentProps) {
  const [given, setGiven] = useState<Action | null>(null);
  const give = (action: Action) => {
    if (given !== null) return;
    setGiven(action);
    void answer(action).finally(() => setGiven(null));
  };
  return (
    <Step title="Let this program in?">
      <p class="consent-name">
        <bdi>{client.name}</bdi>
      </p>
      <p>
        calls itself so; nobody has checked it. <Where back={back} />
      </p>
      <MayAndMayNot knowsAddress={scopes.includes("email")} />
      <p class="sub">
        You are{" "}
        <strong>
          <bdi>{account.handle ?? account.email}</bdi>
        </strong>
        . You can take this back at any time on <a href="/account#programs">your account</a>.
      </p>
      <p class="actions">
        <button
          type="button"
          class="button"
          aria-disabled={given !== null}
          onClick={() => give("approve")}
        >
          Let it in
        </button>
        <button
          type="button"
          class="button quiet"
          aria-disabled={given !== null}
          onClick={() => give("deny")}
        >
          Do not
        </button>
      </p>
    </Step>
  );
}

function Where({ back: { kind, name } }: { back: Return }) {
  const words = {
    site: "Your answer goes to the site",
    here: "Your answer goes to a program on this very machine, at",
    app: "Your answer goes to the app that opens",
  }[kind];
  return (
    <>
      {words} <strong class="consent-host">{name}</strong>. If you did not just start something
      there, do not let it in.
    </>
  );
}

function MayAndMayNot({ knowsAddress }: { knowsAddress: boolean }) {
  return (
    <div class="consent-lists">
      <div>
        <h2>It may</h2>
        <ul class="consent-list">
          <li>
            see your bots, and the ladders that you are on{knowsAddress && ", and your address"}
          </li>
          <li>register bots for you, and get their tokens</li>
          <li>delete your bots that never played, and retire the others for good</li>
          <li>enter ladders for you</li>
          <li>request practice matches for your bots</li>
        </ul>
      </div>
      <div>
        <h2>It may not</h2>
        <ul class="consent-list">
          <li>sign in as you, or change your address, password or handle</li>
          <li>see or make agent keys, or let other programs in</li>
          <li>leave in your name</li>
        </ul>
      </div>
    </div>
  );
}
