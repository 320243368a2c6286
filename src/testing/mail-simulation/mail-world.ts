// Everything that happens besides email: people sign up, change preferences, play and leave, events
// open and close, and the mail server fails.

import { DAY_MS, HOUR_MS, MINUTE_MS } from "#base/util/time.ts";
import { EMAIL_PREFERENCES } from "#core/accounts/account.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { monthOf } from "#core/ladder/season.ts";
import { acceptsEmail } from "#core/mail/delivery.ts";
import { createDelivery } from "#core/mail/due-email.ts";
import { onboardingEmails } from "#core/mail/onboarding.ts";
import type { Store } from "#data/store/store.ts";
import { giveAwards } from "#live/awards/give-awards.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";
import { sampleEntry, sampleAccount } from "#testing/store-contract/store-account-cases.ts";
import { addSampleLadder } from "#testing/store-contract/store-custom-ladder-cases.ts";
import { SAMPLE_EVENT } from "#testing/store-contract/store-event-cases.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleVersion,
} from "#testing/store-contract/store-samples.ts";

import type { MailLedger } from "./ledger.ts";
import type { MailServerOutage } from "./mail-server.ts";
import { canPlayMatches, createMailPerson, TURNS_PER_MATCH } from "./person.ts";
import type { MailPerson } from "./person.ts";

export type MailWorldDeps = {
  store: Store;
  dice: SeededDice;
  ledger: MailLedger;
  people: Map<string, MailPerson>;
  size: { accounts: number; days: number };
  now: () => number;
  newId: () => string;
  setOutage: (spell: MailServerOutage) => void;
};

export type MailWorld = MailWorldDeps & {
  events: EventDefinition[];
  matchCount: number;
  idCount: number;
};

const VERSIONS_PER_PERSON = 1000;
const versionIdOf = ({ number, version }: MailPerson) =>
  sampleId("version", number * VERSIONS_PER_PERSON + version);
const instantOf = (ms: number): string => new Date(ms).toISOString();

export async function createMailWorld(deps: MailWorldDeps): Promise<MailWorld> {
  await addSampleLadder(deps.store, { opensAt: null, closesAt: null });
  return { ...deps, events: [], matchCount: 0, idCount: 0 };
}

export async function simulateHours(world: MailWorld, hours: number): Promise<void> {
  const { dice, size } = world;
  const share = hours / (size.days * 24);
  await repeatAbout(world, share * size.accounts * 2, () => addPerson(world));
  const remainingPeople = [...world.people.values()].filter(({ hasLeft }) => !hasLeft);
  if (remainingPeople.length === 0) return;
  const forSomePeople = (perDay: number, action: (person: MailPerson) => Promise<unknown>) =>
    repeatAbout(world, (perDay * remainingPeople.length * hours) / 24, () =>
      action(dice.pick(remainingPeople)),
    );
  await forSomePeople(0.5, (person) => chooseHandle(world, person));
  await forSomePeople(0.1, (person) => chooseMail(world, person));
  await forSomePeople(0.02, (person) => changeAddress(world, person));
  await forSomePeople(0.01, (person) => ban(world, person));
  await forSomePeople(0.05, (person) => toggleCupMembership(world, person));
  await forSomePeople(0.1, (person) => makeVersion(world, person));
  await forSomePeople(0.004, (person) => leave(world, person));
  await playMatches(world, hours);
  await repeatAbout(world, hours / 60, () => addEvent(world));
  await forSomePeople(0.05, (person) => grantAward(world, person));
  await repeatAbout(world, hours / 48, () => publishAnnouncement(world));
  await repeatAbout(world, hours / 72, () => addFaultedMatch(world));
  await repeatAbout(world, hours / 30, async () => world.setOutage(drawOutage(dice)));
  await resolveIncidents(world);
}

async function repeatAbout(
  { dice }: MailWorld,
  mean: number,
  action: () => Promise<unknown>,
): Promise<void> {
  const count = Math.floor(mean) + Number(dice.chance(mean % 1));
  for (let time = 0; time < count; time += 1) await action();
}

function drawOutage(dice: SeededDice): MailServerOutage {
  const chance = dice.draw();
  if (chance < 0.1) return "away";
  if (chance < 0.15) return "wrong_password";
  return chance < 0.2 ? "wrong_sender" : null;
}

async function addPerson({ store, people, dice, size, now }: MailWorld): Promise<void> {
  const number = people.size;
  if (number >= size.accounts) return;
  const person = createMailPerson(number);
  person.isConfirmed = number === 0 || dice.chance(0.9);
  person.isRefused = number > 0 && dice.chance(0.05);
  const { mail } = person;
  const weekly_digest = dice.chance(0.5);
  person.mail = { ...mail, preferences: { ...mail.preferences, weekly_digest } };
  const at = instantOf(now());
  await store.accounts.add(
    sampleAccount(number, {
      created: at,
      email: person.email,
      emailConfirmedAt: person.isConfirmed ? at : null,
      mail: person.mail,
      role: person.isAdmin ? "admin" : "player",
    }),
    sampleEntry(),
  );
  people.set(person.accountId, person);
}

/** As the HTTP route does. */
async function chooseHandle(world: MailWorld, person: MailPerson): Promise<void> {
  if (person.handleAt !== null || person.hasLeft) return;
  const { store, newId, now, ledger } = world;
  const { number, accountId } = person;
  const at = instantOf(now());
  const handle = `person-${number}`;
  const emails = onboardingEmails({ accountId, handle }, at);
  const handleChange = { at, until: at };
  const rows = emails.map((email) => createDelivery(email, at, newId));
  await store.accounts.setHandle(accountId, handle, handleChange, sampleEntry(), rows);
  for (const subject of ["welcome", "first match"])
    ledger.expectEmail({ accountId, category: "onboarding", subject });
  person.handleAt = at;
  const ownerFields = { owner: handle, ownerId: accountId, created: at };
  await store.bots.add(sampleBot(number, ownerFields), `hash-${number}`, null);
  await addVersion(world, person);
}

const addVersion = ({ store, now }: MailWorld, person: MailPerson) =>
  store.versions.add(
    sampleVersion(person.number, {
      id: versionIdOf(person),
      label: `v${person.version}`,
      created: instantOf(now()),
    }),
    null,
  );

async function makeVersion(world: MailWorld, person: MailPerson): Promise<void> {
  if (!canPlayMatches(person)) return;
  person.version += 1;
  await addVersion(world, person);
}

async function chooseMail({ store, dice }: MailWorld, person: MailPerson): Promise<void> {
  if (person.hasLeft) return;
  const category = dice.pick(EMAIL_PREFERENCES);
  const preferences = { ...person.mail.preferences, [category]: dice.chance(0.6) };
  person.mail = { announcements: dice.chance(0.8), preferences };
  if (dice.chance(0.5) && !preferences[category]) {
    person.mail = { ...person.mail, announcements: false };
    await store.accounts.setMail(person.accountId, person.mail);
    await store.accounts.optOut(person.accountId, category);
  } else await store.accounts.setMail(person.accountId, person.mail);
}

async function changeAddress({ store, dice, now }: MailWorld, person: MailPerson): Promise<void> {
  if (person.hasLeft) return;
  person.email = `person-${person.number}-${dice.below(1_000_000)}@example.org`;
  person.isConfirmed = dice.chance(0.8);
  person.isRefused = false;
  const emailConfirmedAt = person.isConfirmed ? instantOf(now()) : null;
  const contact = { email: person.email, emailConfirmedAt, signsInWithEmail: true };
  await store.accounts.updateContact(person.accountId, contact);
}

async function ban({ store, now }: MailWorld, person: MailPerson): Promise<void> {
  if (person.hasLeft || person.isAdmin) return;
  person.isBanned = !person.isBanned;
  const details = person.isBanned ? { at: instantOf(now()), reason: null } : null;
  await store.accounts.setBan(person.accountId, details, sampleEntry());
}

async function toggleCupMembership(
  { store, now, newId }: MailWorld,
  person: MailPerson,
): Promise<void> {
  if (person.hasLeft || person.isBanned || person.handleAt === null) return;
  const at = instantOf(now());
  const membership = { ladderId: "cup", accountId: person.accountId, at };
  if (person.isMember) await store.members.withdraw(membership, sampleEntry());
  else await store.members.enroll({ ...membership, id: newId() }, "active", sampleEntry());
  person.isMember = !person.isMember;
}

async function leave({ store, now }: MailWorld, person: MailPerson): Promise<void> {
  if (person.hasLeft || person.isAdmin) return;
  person.hasLeft = true;
  const at = instantOf(now());
  const details = { at, until: at, second: Math.floor(now() / 1000), ban: null, inMatch: [] };
  await store.accounts.delete(person.accountId, details, sampleEntry());
}

/** Averages 1.5 matches per bot and day. Some bots have bad days. */
async function playMatches(world: MailWorld, hours: number): Promise<void> {
  const players = [...world.people.values()].filter(canPlayMatches);
  if (players.length < 2) return;
  const { dice } = world;
  const pendingMatches: Promise<unknown>[] = [];
  await repeatAbout(world, (players.length * 0.75 * hours) / 24, async () => {
    const first = dice.pick(players);
    const second = dice.pick(players.filter((one) => one !== first));
    pendingMatches.push(playMatch(world, [first, second]));
  });
  await Promise.all(pendingMatches);
}

const isBadDay = ({ number }: MailPerson, ms: number): boolean =>
  (Math.floor(ms / (4 * DAY_MS)) * 7 + number) % 5 === 0;

async function playMatch(
  world: MailWorld,
  pair: readonly [MailPerson, MailPerson],
  voided = false,
): Promise<void> {
  const { store, dice, now } = world;
  const number = (world.matchCount += 1);
  const ended = instantOf(now() - dice.below(MINUTE_MS));
  const fighters = pair.map((person) => {
    const isBad = isBadDay(person, now());
    const isDisqualified = isBad && dice.chance(0.3);
    const failed = isBad ? dice.below(TURNS_PER_MATCH / 2) : dice.below(3);
    const played = { ended, version: person.version, isDisqualified, failed };
    if (!voided) person.playedMatches.push(played);
    return { disqualified: isDisqualified, server_idles: { late: failed } };
  });
  const stats = JSON.stringify({ stats_version: 2, ticks: TURNS_PER_MATCH, fighters });
  const seats = pair.map((person, seat) =>
    sampleSeat(person.number, {
      versionId: versionIdOf(person),
      version: `v${person.version}`,
      accountId: person.accountId,
      fighter: "AB"[seat]!,
    }),
  );
  const fault = { voided, rated: false, unratedReason: "server_fault" } as const;
  await store.matches.save(
    sampleMatch(number, {
      seats,
      started: ended,
      ended,
      season: monthOf(ended),
      winnerBotId: dice.pick(pair).botId,
      stats: voided ? null : stats,
      ...(voided && fault),
    }),
  );
}

async function addFaultedMatch(world: MailWorld): Promise<void> {
  const [first, second] = [...world.people.values()].filter(canPlayMatches);
  if (first !== undefined && second !== undefined) await playMatch(world, [first, second], true);
}

async function addEvent(world: MailWorld): Promise<void> {
  const { store, dice, now, events } = world;
  const opensAtMs = now() + dice.between(HOUR_MS, 4 * DAY_MS);
  const event = {
    ...SAMPLE_EVENT,
    id: `event-${events.length}`,
    ladderId: dice.pick(["public", "cup"]),
    opensAt: instantOf(opensAtMs),
    closesAt: instantOf(opensAtMs + dice.between(HOUR_MS, 8 * DAY_MS)),
    enabled: true,
  };
  await store.events.add(event, sampleEntry());
  events.push(event);
}

/** Achievements are drawn at random, so some are earned more than once. */
async function grantAward(world: MailWorld, person: MailPerson): Promise<void> {
  const { store, dice, now, newId, events, ledger } = world;
  if (!canPlayMatches(person) || events.length === 0) return;
  const event = dice.pick(events);
  const achievementId = dice.pick(event.achievements).id;
  const { accountId, botId } = person;
  const instant = () => instantOf(now());
  const awardFact = { accountId, achievementId, botId, earnedAt: instant(), evidence: [] };
  await giveAwards({ store, hasMail: true, newId, instant }, event, [awardFact]);
  ledger.expectEmail({
    accountId,
    category: "achievements",
    subject: `${event.id} ${achievementId}`,
  });
}

async function publishAnnouncement(world: MailWorld): Promise<void> {
  const { store, dice, now, newId, ledger, people } = world;
  const at = instantOf(now());
  const id = newId();
  const draft = {
    id,
    title: `News ${id}`,
    body: "There are some.",
    created: at,
    publishBy: instantOf(now() + HOUR_MS),
    inGame: true,
    email: { subject: "News", text: "News", html: "<p>News</p>" },
  };
  const announcement = await store.announcements.add(draft, sampleEntry({ at }));
  const idCount = await store.announcements.readers(announcement);
  const recipients = idCount.map((accountId) => ({ accountId, deliveryId: newId() }));
  await store.announcements.publish(announcement.id, recipients, sampleEntry({ at }));
  for (const { accountId, mail, isConfirmed, isBanned, hasLeft } of people.values())
    if (isConfirmed && !isBanned && !hasLeft && acceptsEmail(mail, "announcements"))
      ledger.expectEmail({
        accountId,
        category: "announcements",
        subject: `announcement ${announcement.id}`,
      });
  if (dice.chance(0.3)) await store.deliveries.retry(announcement.id, at, sampleEntry({ at }));
}

export async function resolveIncidents(
  { store, dice, now, setOutage }: MailWorld,
  isForced = false,
) {
  for (const { scope, resolved, opened } of await store.incidents.list(20)) {
    const isOld = Date.parse(opened) + dice.between(HOUR_MS, 30 * HOUR_MS) < now();
    if (resolved !== null || (!isOld && !isForced)) continue;
    setOutage(null);
    const at = instantOf(now());
    await store.incidents.resolve(scope, "person-0", sampleEntry({ at, reason: "it works again" }));
  }
}
