// Who sits at this page: found out as it opens, and followed while it is open.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Account } from "#core/resources/account.ts";
import type { ProviderPlace } from "#site/account/data.ts";
import { offerReload } from "#site/public/reload.ts";

import { isNew, takeArrival, withoutConsent } from "./addresses.ts";
import type { Arrival, MailLink } from "./addresses.ts";
import { arrivalWords, AWAY, CHANGE_ELSEWHERE } from "./identity-words.ts";
import type { Identity, MailPurpose, WaysIn } from "./identity.ts";
import { openLadder } from "./ladder.ts";
import type { AskLadder, AccountRefusal } from "./ladder.ts";
import { publishAccount } from "./own-account.ts";

/** What somebody who is not signed in wants to do. */
export type Door = "sign in" | "sign up" | "recover";

export type Seated =
  | { at: "looking" }
  /** The browser gives pages without TLS none of what signing in takes. */
  | { at: "insecure" }
  | { at: "out"; door: Door; email: string; notice: string | null }
  /** A mail with a link and six digits is on its way. */
  | {
      at: "mailed";
      purpose: Exclude<MailPurpose, "email_change">;
      email: string;
      /** Of a sign-up at the ladder's own provider: it goes along with the code. */
      password: string | null;
    }
  /** Signed in by an email, and yet to choose a password. */
  | { at: "new password" }
  /** Followed the link of an email in a browser that did not ask for it. */
  | {
      at: "choose password";
      invite: string;
      isNew: boolean;
      /** The account that is signed in here, which the link would replace. */
      current: Account | null;
    }
  | { at: "in"; account: Account }
  | { at: "refused"; text: string }
  | { at: "away"; text: string };

/** What the parts of the page work with. */
export type Desk = {
  place: ProviderPlace;
  identity: Identity;
  ask: AskLadder;
  ways: WaysIn | null;
  show: (seated: Seated) => void;
  /** Reads the account again. */
  reload: () => Promise<void>;
  /** Says what was done, to everybody who sees or hears the page. */
  say: (text: string) => void;
};

export const OUT: Extract<Seated, { at: "out" }> = {
  at: "out",
  door: "sign in",
  email: "",
  notice: null,
};

/** `desk` is null until a script runs. */
export function useDesk(place: ProviderPlace | null): {
  seated: Seated;
  desk: Desk | null;
  said: string;
} {
  const [seated, setSeated] = useState<Seated>({ at: "looking" });
  const [tools, setTools] = useState<Omit<Desk, "show" | "reload" | "say"> | null>(null);
  const [said, say] = useSaid();
  const now = useRef(seated);
  const show = (next: Seated) => {
    now.current = next;
    setSeated(next);
    if (next.at === "in") publishAccount(next.account);
    if (next.at === "out" || next.at === "refused") publishAccount(null);
  };
  useEffect(() => {
    if (place === null) return undefined;
    const arrival = takeArrival();
    if (!isSecureContext) return show({ at: "insecure" });
    let leave = () => {};
    // Only pages on which somebody may sign in load what it takes.
    import("./identity.ts").then(({ identityOfPage }) => {
      const identity = identityOfPage(place);
      const ask = openLadder(identity);
      setTools({ place, identity, ask, ways: null });
      const finding = identity.waysIn();
      void finding.then((ways) => setTools({ place, identity, ask, ways }));
      void enter(identity, ask, arrival).then(async (found) => {
        // The ways in are shown all at once, so that none moves another.
        const isAway = found.at === "out" && (await finding) === null;
        show(isAway ? { ...found, notice: found.notice ?? AWAY } : found);
      });
      leave = identity.watch((isIn) => void follow(isIn, now, ask, show));
    }, offerReload);
    return () => leave();
  }, []);
  if (tools === null) return { seated, desk: null, said };
  const reload = async () => show(await readAccount(tools.ask));
  return { seated, desk: { ...tools, show, reload, say }, said };
}

const SAID_MS = 6000;

/** What was done is said for a moment. */
function useSaid(): [said: string, say: (text: string) => void] {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSaid(""), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return [said, setSaid];
}

async function enter(identity: Identity, ask: AskLadder, arrival: Arrival): Promise<Seated> {
  let notice: string | null = arrival.kind === "refused" ? arrivalWords(arrival.code) : null;
  if (arrival.kind === "link") {
    const choice = await choiceOf(arrival.link, ask);
    if (choice !== null) return choice;
  }
  if (arrival.kind === "code") {
    const outcome = await identity.arrive(arrival.code, arrival.flow);
    if (outcome === "new password") return { at: "new password" };
    if (outcome !== "in") {
      const choice = await choiceOf(arrival.link, ask);
      if (choice !== null) return choice;
      notice = arrival.link?.purpose === "email_change" ? CHANGE_ELSEWHERE : outcome.text;
    }
  }
  const found = await readAccount(ask);
  if (found.at !== "out") return found;
  return { ...OUT, door: isNew(location.search) ? "sign up" : "sign in", notice };
}

async function choiceOf(link: MailLink | null, ask: AskLadder): Promise<Seated | null> {
  if (link === null || link.invite === null) return null;
  const { pathname, search, hash } = location;
  history.replaceState(null, "", pathname + withoutConsent(search) + hash);
  const found = await readAccount(ask);
  const current = found.at === "in" ? found.account : null;
  return { at: "choose password", invite: link.invite, isNew: link.purpose === "signup", current };
}

/** Somebody signed in or out, perhaps in another tab. */
async function follow(
  isIn: boolean,
  now: { readonly current: Seated },
  ask: AskLadder,
  show: (seated: Seated) => void,
): Promise<void> {
  const before = now.current;
  if (!isIn && before.at === "in") show({ ...OUT, notice: "You are signed out." });
  if (!isIn || (before.at !== "out" && before.at !== "mailed")) return;
  const found = await readAccount(ask);
  // This tab may have gone on by itself meanwhile.
  if (now.current === before) show(found);
}

/** Who is signed in, as the ladder sees it. */
export async function readAccount(ask: AskLadder): Promise<Seated> {
  const answer = await ask<Account>("GET", "/api/account");
  return "value" in answer ? { at: "in", account: answer.value } : seatOf(answer.refusal);
}

/** Where a refusal leaves somebody who was signed in. */
function seatOf({ code, text }: AccountRefusal): Seated {
  if (code === "out") return OUT;
  return code === "account_banned" ? { at: "refused", text } : { at: "away", text };
}
