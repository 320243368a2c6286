// T97: a stranger and the owner of a mailbox sign up with its address, resend, recover and change to
// it, in any order. Only the owner reads the mailbox.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import { MINUTE_MS } from "#base/units/time.ts";
import type { Hasher } from "#outside/identity/password.ts";
import { follow, identityWorld, pkce } from "#testing/fixtures/identity-world.ts";
import type { IdentityWorld, Reply, SignedIn } from "#testing/fixtures/identity-world.ts";
import { memoryStore } from "#testing/store-cases/memory-store.ts";

const MAILBOX = "owner@example.org";
const STRANGER = "stranger@evil.example";
const PASSWORDS = { owner: "the owner's password", stranger: "the stranger's password" };
const CALLERS = { owner: "192.0.2.1", stranger: "203.0.113.9" };
const RUNS = 200;

type Actor = keyof typeof PASSWORDS;
const ACTORS: readonly Actor[] = ["owner", "stranger"];

/** Any password has one hash, so that runs are quick. */
const PLAIN_HASHER: Hasher = {
  hash: async (password) => `plain ${password}`,
  verify: async (password, hash) => hash === `plain ${password}`,
};

/** An actor's browser storage: the verifiers of the emails that it requested. */
type Browser = { verifiers: string[] };
type Step =
  | { at: "sign up" | "resend" | "recover"; actor: Actor; browser: number; hasChallenge: boolean }
  | { at: "change email"; hasChallenge: boolean }
  | { at: "open link"; mail: number; browser: number; choosesPassword: boolean }
  | { at: "type code"; mail: number; hasPassword: boolean }
  | { at: "wait"; minutes: number };

const anyBrowser = fc.nat({ max: 1 });
const anyMail = fc.nat({ max: 7 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    at: fc.constantFrom("sign up" as const, "resend" as const, "recover" as const),
    actor: fc.constantFrom(...ACTORS),
    browser: anyBrowser,
    hasChallenge: fc.boolean(),
  }),
  fc.record({ at: fc.constant("change email" as const), hasChallenge: fc.boolean() }),
  fc.record({
    at: fc.constant("open link" as const),
    mail: anyMail,
    browser: anyBrowser,
    choosesPassword: fc.boolean(),
  }),
  fc.record({ at: fc.constant("type code" as const), mail: anyMail, hasPassword: fc.boolean() }),
  fc.record({ at: fc.constant("wait" as const), minutes: fc.constantFrom(1, 11, 25 * 60) }),
);

type Play = {
  world: IdentityWorld;
  stranger: SignedIn;
  browsers: Record<Actor, [Browser, Browser]>;
};

async function openPlay(isReserved: boolean, plant: Plant | null): Promise<Play> {
  const store = memoryStore();
  plant?.(store);
  const reserved = () => (isReserved ? [MAILBOX] : []);
  const world = await identityWorld({ store, hasher: PLAIN_HASHER, reserved });
  const browsers = () => [{ verifiers: [] }, { verifiers: [] }] as [Browser, Browser];
  const stranger = await world.member(STRANGER);
  return { world, stranger, browsers: { owner: browsers(), stranger: browsers() } };
}

/** Fields for the challenge of a browser, which remembers the verifier. */
function challengeOf({ verifiers }: Browser, hasChallenge: boolean): object {
  if (!hasChallenge) return {};
  const { verifier, challenge } = pkce();
  verifiers.push(verifier);
  return { code_challenge: challenge, code_challenge_method: "s256" };
}

async function play({ world, stranger, browsers }: Play, step: Step): Promise<void> {
  switch (step.at) {
    case "sign up":
    case "resend":
    case "recover": {
      const { actor, browser, hasChallenge } = step;
      const challenge = challengeOf(browsers[actor][browser]!, hasChallenge);
      const fields = {
        "sign up": { password: PASSWORDS[actor] },
        resend: { type: "signup" },
        recover: {},
      }[step.at];
      const path = step.at === "sign up" ? "/signup" : `/${step.at}`;
      const body = { email: MAILBOX, ...fields, ...challenge };
      await world.ask("POST", path, { caller: CALLERS[actor], body });
      return world.embedded.settled();
    }
    case "change email": {
      const challenge = challengeOf(browsers.stranger[0], step.hasChallenge);
      const body = { email: MAILBOX, ...challenge };
      await world.ask("PUT", "/user", { caller: CALLERS.stranger, jwt: stranger.access, body });
      return world.embedded.settled();
    }
    case "open link":
      return openLink(world, browsers.owner[step.browser]!, step);
    case "type code":
      return typeCode(world, step);
    case "wait":
      world.clock.pass(step.minutes * MINUTE_MS);
  }
}

/** The owner reads an email, the newest first. */
function mailAt({ mails }: IdentityWorld, back: number) {
  const own = mails.filter(({ to, link }) => to === MAILBOX && link !== null);
  return own.at(-1 - (back % Math.max(1, own.length)));
}

/** Opens a link as our pages do: the code is exchanged, or a password is chosen. */
async function openLink(
  world: IdentityWorld,
  { verifiers }: Browser,
  { mail, choosesPassword }: Extract<Step, { at: "open link" }>,
): Promise<void> {
  const link = mailAt(world, mail)?.link;
  if (link === undefined) return;
  const landed = await follow(world, link);
  const auth_code = landed.searchParams.get("code");
  for (const code_verifier of auth_code === null ? [] : verifiers)
    await world.ask("POST", "/token?grant_type=pkce", { body: { auth_code, code_verifier } });
  const token_hash = new URLSearchParams(landed.hash.slice(1)).get("token_hash");
  if (!choosesPassword || token_hash === null) return;
  const body = { type: "invite", token_hash };
  await choosePassword(world, await world.ask("POST", "/verify", { body }));
}

async function choosePassword(world: IdentityWorld, { status, body }: Reply): Promise<void> {
  if (status !== 200) return;
  const changes = { password: PASSWORDS.owner };
  await world.ask("PUT", "/user", { jwt: body.access_token, body: changes });
}

async function typeCode(
  world: IdentityWorld,
  { mail, hasPassword }: Extract<Step, { at: "type code" }>,
): Promise<void> {
  const read = mailAt(world, mail);
  if (read === undefined) return;
  const password = hasPassword ? { password: PASSWORDS.owner } : {};
  const body = { type: read.type, email: MAILBOX, token: read.code, ...password };
  await world.ask("POST", "/verify", { body });
}

/** Nothing that the stranger has leads to an account with the address. */
async function checkStranger({ world, stranger }: Play): Promise<void> {
  const { identity } = world.deps.store;
  const user = await identity.userByEmail(MAILBOX);
  const hash = await PLAIN_HASHER.hash(PASSWORDS.stranger, CALLERS.stranger);
  assert.notEqual(user?.passwordHash, hash, "the stranger's password opens the account");
  const known = await identity.userById(stranger.id);
  assert.equal(known?.email, STRANGER, "the stranger's account has the owner's address");
}

/** The owner can sign in by their own email, whatever strangers requested. */
async function checkOwner(gone: Play): Promise<void> {
  const { world, browsers } = gone;
  const [browser] = browsers.owner;
  const own = { actor: "owner", browser: 0, hasChallenge: true } as const;
  await play(gone, { at: "sign up", ...own });
  for (let count = 0; count < 5; count += 1)
    await play(gone, { at: "sign up", actor: "stranger", browser: 0, hasChallenge: true });
  await play(gone, { at: "recover", ...own });
  await openLink(world, browser, { at: "open link", mail: 0, browser: 0, choosesPassword: true });
  const body = { email: MAILBOX, password: PASSWORDS.owner };
  const { status } = await world.ask("POST", "/token?grant_type=password", { body });
  assert.equal(status, 200, "the owner can't sign in");
}

function property(plant: Plant | null = null) {
  const steps = fc.array(anyStep, { maxLength: 14 });
  return fc.asyncProperty(steps, fc.boolean(), async (all, isReserved) => {
    const started = await openPlay(isReserved, plant);
    for (const step of all) {
      await play(started, step);
      await checkStranger(started);
    }
    await checkOwner(started);
    await checkStranger(started);
    const body = { email: MAILBOX, password: PASSWORDS.stranger };
    const signIn = await started.world.ask("POST", "/token?grant_type=password", { body });
    assert.equal(signIn.status, 400);
  });
}

type Plant = (store: ReturnType<typeof memoryStore>) => void;

/** Release 0.53: a confirmed address gets the password of its newest sign-up. */
const newestPassword: Plant = ({ identity }) => {
  const newest = new Map<string, string>();
  const { putToken, redeem } = identity;
  identity.putToken = async (token, ends) => {
    if (token.signUp !== null) newest.set(token.userId, token.signUp.passwordHash);
    return putToken(token, ends);
  };
  identity.redeem = async (...given) => {
    const redeemed = await redeem(...given);
    const passwordHash = newest.get(redeemed?.user?.id ?? "");
    const user = redeemed?.token.purpose === "signup" ? redeemed.user : null;
    if (user !== null && passwordHash !== undefined)
      await identity.changeUser(user.id, { passwordHash });
    return redeemed;
  };
};

/** Release 0.53: an account moves to an address whose mailbox somebody else reads. */
const moveByLink: Plant = ({ identity }) => {
  const { token: tokenOf } = identity;
  identity.token = async (hash) => {
    const token = await tokenOf(hash);
    if (token?.purpose === "email_change")
      await identity.changeUser(token.userId, { email: token.email });
    return token;
  };
};

describe("T97 a stranger and the owner of a mailbox", () => {
  it("in any order, only the owner gets into an account with the address", async () => {
    await fc.assert(property(), { numRuns: RUNS });
  });

  for (const [fault, plant] of Object.entries({ newestPassword, moveByLink }))
    it(`the planted fault is found: ${fault}`, async () => {
      const { errorInstance } = await fc.check(property(plant), { numRuns: RUNS });
      assert.match(String(errorInstance), /the stranger's (?:password|account)/);
    });

  it("an account never moves to an address by the hash of a link alone", async () => {
    const { world, stranger } = await openPlay(false, null);
    const body = { email: MAILBOX };
    await world.ask("PUT", "/user", { jwt: stranger.access, body });
    const { link } = await world.mailTo(MAILBOX);
    const token_hash = new URLSearchParams(new URL(link ?? "").hash.slice(1)).get("token");
    const verified = await world.ask("POST", "/verify", {
      body: { type: "email_change", token_hash },
    });
    assert.equal(verified.status, 403);
    assert.equal((await world.deps.store.identity.userById(stranger.id))?.email, STRANGER);
  });
});
