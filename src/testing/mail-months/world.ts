// What happens in the months of mail, apart from the mail itself: people come, choose, play and
// leave, events open and close, and the mail server has its spells.

import { DAY_MS, HOUR_MS, MINUTE_MS } from "#base/units/time.ts";
import { EMAIL_PREFERENCES } from "#core/accounts/account.ts";
import type { EventDefinition } from "#core/events/event.ts";
import { monthOf } from "#core/ladder/season.ts";
import { wantsMail } from "#core/mail/delivery.ts";
import { deliveryOf } from "#core/mail/due-letter.ts";
import { onboardingLetters } from "#core/mail/onboarding.ts";
import type { Store } from "#data/store/store.ts";
import { giveAwards } from "#live/awards/give.ts";
import type { SeededDice } from "#testing/simulation/dice.ts";
import { entry, sampleAccount } from "#testing/store-cases/store-account-cases.ts";
import { SPRING } from "#testing/store-cases/store-event-cases.ts";
import { addCup } from "#testing/store-cases/store-kept-ladder-cases.ts";
import {
  sampleBot,
  sampleId,
  sampleMatch,
  sampleSeat,
  sampleVersion,
} from "#testing/store-cases/store-samples.ts";

import type { Ledger } from "./ledger.ts";
import { mayPlay, newPerson, TURNS } from "./person.ts";
import type { Somebody } from "./person.ts";
import type { Spell } from "./post.ts";

export type MailWorldDeps = {
  store: Store;
  dice: SeededDice;
  ledger: Ledger;
  people: Map<string, Somebody>;
  size: { accounts: number; days: number };
  now: () => number;
  newId: () => string;
  changeSpell: (spell: Spell) => void;
};

export type MailWorld = MailWorldDeps & { events: EventDefinition[]; matches: number; ids: number };

/** Each person's version `count` has a number of its own. */
const VERSIONS = 1000;
const versionId = ({ number, version }: Somebody) =>
  sampleId("version", number * VERSIONS + version);
const instantOf = (ms: number): string => new Date(ms).toISOString();

export async function openWorld(deps: MailWorldDeps): Promise<MailWorld> {
  await addCup(deps.store, { opensAt: null, closesAt: null });
  return { ...deps, events: [], matches: 0, ids: 0 };
}

/** Some hours of everything. */
export async function live(world: MailWorld, hours: number): Promise<void> {
  const { dice, size } = world;
  const share = hours / (size.days * 24);
  await times(world, share * size.accounts * 2, () => arrive(world));
  const here = [...world.people.values()].filter(({ hasLeft }) => !hasLeft);
  if (here.length === 0) return;
  const some = (perDay: number, act: (person: Somebody) => Promise<unknown>) =>
    times(world, (perDay * here.length * hours) / 24, () => act(dice.pick(here)));
  await some(0.5, (person) => chooseHandle(world, person));
  await some(0.1, (person) => chooseMail(world, person));
  await some(0.02, (person) => changeAddress(world, person));
  await some(0.01, (person) => ban(world, person));
  await some(0.05, (person) => enterCup(world, person));
  await some(0.1, (person) => makeVersion(world, person));
  await some(0.004, (person) => leave(world, person));
  await playSome(world, hours);
  await times(world, hours / 60, () => addEvent(world));
  await some(0.05, (person) => award(world, person));
  await times(world, hours / 48, () => announce(world));
  await times(world, hours / 72, () => fault(world));
  await times(world, hours / 30, async () => world.changeSpell(spellOf(dice)));
  await resolve(world);
}

async function times(
  { dice }: MailWorld,
  mean: number,
  act: () => Promise<unknown>,
): Promise<void> {
  const count = Math.floor(mean) + Number(dice.chance(mean % 1));
  for (let time = 0; time < count; time += 1) await act();
}

function spellOf(dice: SeededDice): Spell {
  const chance = dice.draw();
  if (chance < 0.1) return "away";
  if (chance < 0.15) return "wrong_password";
  return chance < 0.2 ? "wrong_sender" : null;
}

async function arrive({ store, people, dice, size, now }: MailWorld): Promise<void> {
  const number = people.size;
  if (number >= size.accounts) return;
  const person = newPerson(number);
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
    entry(),
  );
  people.set(person.accountId, person);
}

/** As the route does it. */
async function chooseHandle(world: MailWorld, person: Somebody): Promise<void> {
  if (person.handleAt !== null || person.hasLeft) return;
  const { store, newId, now, ledger } = world;
  const { number, accountId } = person;
  const at = instantOf(now());
  const handle = `person-${number}`;
  const letters = onboardingLetters({ accountId, handle }, at);
  const formerly = { at, until: at };
  const rows = letters.map((letter) => deliveryOf(letter, at, newId));
  await store.accounts.setHandle(accountId, handle, formerly, entry(), rows);
  for (const subject of ["welcome", "first match"])
    ledger.expect({ accountId, category: "onboarding", subject });
  person.handleAt = at;
  const owned = { owner: handle, ownerId: accountId, created: at };
  await store.bots.add(sampleBot(number, owned), `hash-${number}`, null);
  await addVersion(world, person);
}

const addVersion = ({ store, now }: MailWorld, person: Somebody) =>
  store.versions.add(
    sampleVersion(person.number, {
      id: versionId(person),
      label: `v${person.version}`,
      created: instantOf(now()),
    }),
    null,
  );

async function makeVersion(world: MailWorld, person: Somebody): Promise<void> {
  if (!mayPlay(person)) return;
  person.version += 1;
  await addVersion(world, person);
}

async function chooseMail({ store, dice }: MailWorld, person: Somebody): Promise<void> {
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

async function changeAddress({ store, dice, now }: MailWorld, person: Somebody): Promise<void> {
  if (person.hasLeft) return;
  person.email = `person-${person.number}-${dice.below(1_000_000)}@example.org`;
  person.isConfirmed = dice.chance(0.8);
  person.isRefused = false;
  const emailConfirmedAt = person.isConfirmed ? instantOf(now()) : null;
  const contact = { email: person.email, emailConfirmedAt, emailSignsIn: true };
  await store.accounts.noteContact(person.accountId, contact);
}

async function ban({ store, now }: MailWorld, person: Somebody): Promise<void> {
  if (person.hasLeft || person.isAdmin) return;
  person.isBanned = !person.isBanned;
  const how = person.isBanned ? { at: instantOf(now()), reason: null } : null;
  await store.accounts.setBan(person.accountId, how, entry());
}

async function enterCup({ store, now, newId }: MailWorld, person: Somebody): Promise<void> {
  if (person.hasLeft || person.isBanned || person.handleAt === null) return;
  const at = instantOf(now());
  const place = { ladderId: "cup", accountId: person.accountId, at };
  if (person.isMember) await store.members.withdraw(place, entry());
  else await store.members.enroll({ ...place, id: newId() }, "active", entry());
  person.isMember = !person.isMember;
}

async function leave({ store, now }: MailWorld, person: Somebody): Promise<void> {
  if (person.hasLeft || person.isAdmin) return;
  person.hasLeft = true;
  const at = instantOf(now());
  const how = { at, until: at, second: Math.floor(now() / 1000), ban: null, inMatch: [] };
  await store.accounts.leave(person.accountId, how, entry());
}

/** One and a half matches of each bot a day; some bots have bad days. */
async function playSome(world: MailWorld, hours: number): Promise<void> {
  const players = [...world.people.values()].filter(mayPlay);
  if (players.length < 2) return;
  const { dice } = world;
  const games: Promise<unknown>[] = [];
  await times(world, (players.length * 0.75 * hours) / 24, async () => {
    const first = dice.pick(players);
    const second = dice.pick(players.filter((one) => one !== first));
    games.push(play(world, [first, second]));
  });
  await Promise.all(games);
}

const isBadDay = ({ number }: Somebody, ms: number): boolean =>
  (Math.floor(ms / (4 * DAY_MS)) * 7 + number) % 5 === 0;

async function play(
  world: MailWorld,
  pair: readonly [Somebody, Somebody],
  voided = false,
): Promise<void> {
  const { store, dice, now } = world;
  const number = (world.matches += 1);
  const ended = instantOf(now() - dice.below(MINUTE_MS));
  const fighters = pair.map((person) => {
    const isBad = isBadDay(person, now());
    const isDisqualified = isBad && dice.chance(0.3);
    const failed = isBad ? dice.below(TURNS / 2) : dice.below(3);
    const played = { ended, version: person.version, isDisqualified, failed };
    if (!voided) person.played.push(played);
    return { disqualified: isDisqualified, server_idles: { late: failed } };
  });
  const stats = JSON.stringify({ stats_version: 2, ticks: TURNS, fighters });
  const seats = pair.map((person, seat) =>
    sampleSeat(person.number, {
      versionId: versionId(person),
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

async function fault(world: MailWorld): Promise<void> {
  const [one, other] = [...world.people.values()].filter(mayPlay);
  if (one !== undefined && other !== undefined) await play(world, [one, other], true);
}

async function addEvent(world: MailWorld): Promise<void> {
  const { store, dice, now, events } = world;
  const opens = now() + dice.between(HOUR_MS, 4 * DAY_MS);
  const event = {
    ...SPRING,
    id: `event-${events.length}`,
    ladderId: dice.pick(["public", "cup"]),
    opensAt: instantOf(opens),
    closesAt: instantOf(opens + dice.between(HOUR_MS, 8 * DAY_MS)),
    enabled: true,
  };
  await store.events.add(event, entry());
  events.push(event);
}

/** Some achievement, sooner or later more than once. */
async function award(world: MailWorld, person: Somebody): Promise<void> {
  const { store, dice, now, newId, events, ledger } = world;
  if (!mayPlay(person) || events.length === 0) return;
  const event = dice.pick(events);
  const achievementId = dice.pick(event.achievements).id;
  const { accountId, botId } = person;
  const instant = () => instantOf(now());
  const fact = { accountId, achievementId, botId, earnedAt: instant(), evidence: [] };
  await giveAwards({ store, hasMail: true, newId, instant }, event, [fact]);
  ledger.expect({ accountId, category: "achievements", subject: `${event.id} ${achievementId}` });
}

async function announce(world: MailWorld): Promise<void> {
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
  const made = await store.announcements.add(draft, entry({ at }));
  const ids = await store.announcements.readers(made);
  const readers = ids.map((accountId) => ({ accountId, deliveryId: newId() }));
  await store.announcements.publish(made.id, readers, entry({ at }));
  for (const { accountId, mail, isConfirmed, isBanned, hasLeft } of people.values())
    if (isConfirmed && !isBanned && !hasLeft && wantsMail(mail, "announcements"))
      ledger.expect({ accountId, category: "announcements", subject: `announcement ${made.id}` });
  if (dice.chance(0.3)) await store.deliveries.retry(made.id, at, entry({ at }));
}

/** An operator looks at incidents now and then. */
export async function resolve({ store, dice, now, changeSpell }: MailWorld, always = false) {
  for (const { scope, resolved, opened } of await store.incidents.list(20)) {
    const isOld = Date.parse(opened) + dice.between(HOUR_MS, 30 * HOUR_MS) < now();
    if (resolved !== null || (!isOld && !always)) continue;
    changeSpell(null);
    const at = instantOf(now());
    await store.incidents.resolve(scope, "person-0", entry({ at, reason: "it works again" }));
  }
}
