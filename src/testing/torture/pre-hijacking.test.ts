// T97: a stranger and a mailbox's owner sign up, resend emails, recover accounts and change to the
// mailbox's address, in any order. Only the owner can read the mailbox.
import assert from "node:assert/strict";
import { describe, it } from "node:test";

import fc from "fast-check";

import type { Hasher } from "#adapters/identity/password-hasher.ts";
import { MINUTE_MS } from "#base/util/time.ts";
import { followVerifyLink, identityWorld, createPkce } from "#testing/fixtures/identity-world.ts";
import type {
  IdentityWorld,
  IdentityReply,
  SignedInMember,
} from "#testing/fixtures/identity-world.ts";
import { memoryStore } from "#testing/store-contract/memory-store.ts";

const OWNER_EMAIL = "owner@example.org";
const STRANGER = "stranger@evil.example";
const PASSWORDS = { owner: "the owner's password", stranger: "the stranger's password" };
const CALLERS = { owner: "192.0.2.1", stranger: "203.0.113.9" };
const RUNS = 200;

type Actor = keyof typeof PASSWORDS;
const ACTORS: readonly Actor[] = ["owner", "stranger"];

/** A fast and deterministic replacement for argon2id. */
const PLAIN_HASHER: Hasher = {
  hash: async (password) => `plain ${password}`,
  verify: async (password, hash) => hash === `plain ${password}`,
};

type Browser = { verifiers: string[] };
type Step =
  | { at: "sign up" | "resend" | "recover"; actor: Actor; browser: number; hasChallenge: boolean }
  | { at: "change email"; hasChallenge: boolean }
  | { at: "open link"; mail: number; browser: number; choosesPassword: boolean }
  | { at: "type code"; mail: number; hasPassword: boolean }
  | { at: "wait"; minutes: number };

const browserIndex = fc.nat({ max: 1 });
const mailIndex = fc.nat({ max: 7 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    at: fc.constantFrom("sign up" as const, "resend" as const, "recover" as const),
    actor: fc.constantFrom(...ACTORS),
    browser: browserIndex,
    hasChallenge: fc.boolean(),
  }),
  fc.record({ at: fc.constant("change email" as const), hasChallenge: fc.boolean() }),
  fc.record({
    at: fc.constant("open link" as const),
    mail: mailIndex,
    browser: browserIndex,
    choosesPassword: fc.boolean(),
  }),
  fc.record({ at: fc.constant("type code" as const), mail: mailIndex, hasPassword: fc.boolean() }),
  fc.record({ at: fc.constant("wait" as const), minutes: fc.constantFrom(1, 11, 25 * 60) }),
);

type Scenario = {
  world: IdentityWorld;
  stranger: SignedInMember;
  browsers: Record<Actor, [Browser, Browser]>;
};

async function openScenario(isReserved: boolean, plantBug: PlantBug | null): Promise<Scenario> {
  const store = memoryStore();
  plantBug?.(store);
  const reserved = () => (isReserved ? [OWNER_EMAIL] : []);
  const world = await identityWorld({ store, hasher: PLAIN_HASHER, reserved });
  const browsers = () => [{ verifiers: [] }, { verifiers: [] }] as [Browser, Browser];
  const stranger = await world.addMember(STRANGER);
  return { world, stranger, browsers: { owner: browsers(), stranger: browsers() } };
}

function challengeOf({ verifiers }: Browser, hasChallenge: boolean): object {
  if (!hasChallenge) return {};
  const { verifier, challenge } = createPkce();
  verifiers.push(verifier);
  return { code_challenge: challenge, code_challenge_method: "s256" };
}

async function runStep({ world, stranger, browsers }: Scenario, step: Step): Promise<void> {
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
      const body = { email: OWNER_EMAIL, ...fields, ...challenge };
      await world.sendRequest("POST", path, { caller: CALLERS[actor], body });
      return world.embedded.whenIdle();
    }
    case "change email": {
      const challenge = challengeOf(browsers.stranger[0], step.hasChallenge);
      const body = { email: OWNER_EMAIL, ...challenge };
      await world.sendRequest("PUT", "/user", {
        caller: CALLERS.stranger,
        jwt: stranger.access,
        body,
      });
      return world.embedded.whenIdle();
    }
    case "open link":
      return openLink(world, browsers.owner[step.browser]!, step);
    case "type code":
      return typeCode(world, step);
    case "wait":
      world.clock.advance(step.minutes * MINUTE_MS);
  }
}

function recentMail({ receivedEmails }: IdentityWorld, age: number) {
  const ownerMails = receivedEmails.filter(({ to, link }) => to === OWNER_EMAIL && link !== null);
  return ownerMails.at(-1 - (age % Math.max(1, ownerMails.length)));
}

async function openLink(
  world: IdentityWorld,
  { verifiers }: Browser,
  { mail, choosesPassword }: Extract<Step, { at: "open link" }>,
): Promise<void> {
  const link = recentMail(world, mail)?.link;
  if (link === undefined) return;
  const callback = await followVerifyLink(world, link);
  const auth_code = callback.searchParams.get("code");
  for (const code_verifier of auth_code === null ? [] : verifiers)
    await world.sendRequest("POST", "/token?grant_type=pkce", {
      body: { auth_code, code_verifier },
    });
  const token_hash = new URLSearchParams(callback.hash.slice(1)).get("token_hash");
  if (!choosesPassword || token_hash === null) return;
  const body = { type: "invite", token_hash };
  await choosePassword(world, await world.sendRequest("POST", "/verify", { body }));
}

async function choosePassword(
  world: IdentityWorld,
  { status, body }: IdentityReply,
): Promise<void> {
  if (status !== 200) return;
  const changes = { password: PASSWORDS.owner };
  await world.sendRequest("PUT", "/user", { jwt: body.access_token, body: changes });
}

async function typeCode(
  world: IdentityWorld,
  { mail, hasPassword }: Extract<Step, { at: "type code" }>,
): Promise<void> {
  const read = recentMail(world, mail);
  if (read === undefined) return;
  const password = hasPassword ? { password: PASSWORDS.owner } : {};
  const body = { type: read.type, email: OWNER_EMAIL, token: read.code, ...password };
  await world.sendRequest("POST", "/verify", { body });
}

async function checkStranger({ world, stranger }: Scenario): Promise<void> {
  const { identity } = world.deps.store;
  const user = await identity.userByEmail(OWNER_EMAIL);
  const hash = await PLAIN_HASHER.hash(PASSWORDS.stranger, CALLERS.stranger);
  assert.notEqual(user?.passwordHash, hash, "the stranger's password opens the account");
  const strangerUser = await identity.userById(stranger.id);
  assert.equal(strangerUser?.email, STRANGER, "the stranger's account has the owner's address");
}

/**
 * Checks that the owner can sign in with an email they requested, whatever strangers have
 * requested.
 */
async function checkOwner(scenario: Scenario): Promise<void> {
  const { world, browsers } = scenario;
  const [browser] = browsers.owner;
  const ownerMails = { actor: "owner", browser: 0, hasChallenge: true } as const;
  await runStep(scenario, { at: "sign up", ...ownerMails });
  for (let count = 0; count < 5; count += 1)
    await runStep(scenario, { at: "sign up", actor: "stranger", browser: 0, hasChallenge: true });
  await runStep(scenario, { at: "recover", ...ownerMails });
  await openLink(world, browser, { at: "open link", mail: 0, browser: 0, choosesPassword: true });
  const body = { email: OWNER_EMAIL, password: PASSWORDS.owner };
  const { status } = await world.sendRequest("POST", "/token?grant_type=password", { body });
  assert.equal(status, 200, "the owner can't sign in");
}

function property(plantBug: PlantBug | null = null) {
  const steps = fc.array(anyStep, { maxLength: 14 });
  return fc.asyncProperty(steps, fc.boolean(), async (all, isReserved) => {
    const started = await openScenario(isReserved, plantBug);
    for (const step of all) {
      await runStep(started, step);
      await checkStranger(started);
    }
    await checkOwner(started);
    await checkStranger(started);
    const body = { email: OWNER_EMAIL, password: PASSWORDS.stranger };
    const signIn = await started.world.sendRequest("POST", "/token?grant_type=password", { body });
    assert.equal(signIn.status, 400);
  });
}

type PlantBug = (store: ReturnType<typeof memoryStore>) => void;

/** Bug in release 0.53: a confirmed account got the password of its newest sign-up. */
const newestPassword: PlantBug = ({ identity }) => {
  const newest = new Map<string, string>();
  const { putToken, redeem } = identity;
  identity.putToken = async (token, expiresAt) => {
    if (token.signUp !== null) newest.set(token.userId, token.signUp.passwordHash);
    return putToken(token, expiresAt);
  };
  identity.redeem = async (...presentedToken) => {
    const redeemedToken = await redeem(...presentedToken);
    const passwordHash = newest.get(redeemedToken?.user?.id ?? "");
    const user = redeemedToken?.token.purpose === "signup" ? redeemedToken.user : null;
    if (user !== null && passwordHash !== undefined)
      await identity.changeUser(user.id, { passwordHash });
    return redeemedToken;
  };
};

/**
 * Bug in release 0.53: an account could change to an address whose mailbox belongs to someone else.
 */
const changeEmailByLink: PlantBug = ({ identity }) => {
  const { token: tokenOf } = identity;
  identity.token = async (hash) => {
    const token = await tokenOf(hash);
    if (token?.purpose === "email_change")
      await identity.changeUser(token.userId, { email: token.email });
    return token;
  };
};

describe("T97 a stranger and the owner of a mailbox", () => {
  it("only the owner can sign in to an account with the address, whatever the order of steps", async () => {
    await fc.assert(property(), { numRuns: RUNS });
  });

  for (const [fault, plantBug] of Object.entries({ newestPassword, moveByLink: changeEmailByLink }))
    it(`the test detects a reintroduced bug: ${fault}`, async () => {
      const { errorInstance } = await fc.check(property(plantBug), { numRuns: RUNS });
      assert.match(String(errorInstance), /the stranger's (?:password|account)/);
    });

  it("an account never changes its address based on a link's hash alone", async () => {
    const { world, stranger } = await openScenario(false, null);
    const body = { email: OWNER_EMAIL };
    await world.sendRequest("PUT", "/user", { jwt: stranger.access, body });
    const { link } = await world.waitForEmail(OWNER_EMAIL);
    const token_hash = new URLSearchParams(new URL(link ?? "").hash.slice(1)).get("token");
    const verified = await world.sendRequest("POST", "/verify", {
      body: { type: "email_change", token_hash },
    });
    assert.equal(verified.status, 403);
    assert.equal((await world.deps.store.identity.userById(stranger.id))?.email, STRANGER);
  });
});
