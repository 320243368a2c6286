// The whole ladder from one seed: population, network, store and faults around lives of the real
// server, all on one virtual time, with watches that see everything.

import { DAY } from "#base/units/time.ts";
import { accountOf } from "#core/accounts/name.ts";
import { limitsWith } from "#core/words/limits.ts";
import type { Limits } from "#core/words/limits.ts";
import { hashToken } from "#data/access/token.ts";
import { newBot } from "#data/store/bot.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import { openAgent, typeOf } from "#testing/actors/agent.ts";
import type { Agent, Surroundings } from "#testing/actors/agent.ts";
import { drawEvents } from "#testing/actors/event-plan.ts";
import type { PlannedEvent } from "#testing/actors/event-plan.ts";
import { drawLadderPlans } from "#testing/actors/ladder-plan.ts";
import type { PlannedLadder } from "#testing/actors/ladder-plan.ts";
import { drawPopulation } from "#testing/actors/population.ts";
import type { AccountHolder, BotSpec } from "#testing/actors/population.ts";
import { show } from "#testing/invariants/watch.ts";
import type { BotFacts, Complaint, Notice, Watch } from "#testing/invariants/watch.ts";
import { memoryStores } from "#testing/store-cases/memory-store.ts";

import { fairWeather } from "./conditions.ts";
import type { Weather } from "./conditions.ts";
import { createDice } from "./dice.ts";
import type { SeededDice } from "./dice.ts";
import { openChronicle } from "./event-log.ts";
import type { Chronicle } from "./event-log.ts";
import { drawId } from "./ids.ts";
import { Link } from "./link.ts";
import type { BotEnd, LinkDeps } from "./link.ts";
import type { SimulationOptions } from "./options.ts";
import type { Plant } from "./planted-bug.ts";
import type { Life } from "./server-life.ts";
import { openTimeline } from "./timeline.ts";
import type { Timeline } from "./timeline.ts";
import type { Strength } from "./truth.ts";

export type World = {
  readonly options: SimulationOptions;
  readonly plant: Plant;
  readonly dice: SeededDice;
  readonly timeline: Timeline;
  readonly chronicle: Chronicle;
  readonly weather: Weather;
  /** Holds everything that outlives the server. */
  readonly store: Store;
  readonly limits: Limits;
  /** Ladders other than public. */
  readonly plans: readonly PlannedLadder[];
  readonly population: readonly BotSpec[];
  readonly eventPlans: readonly PlannedEvent[];
  /** By handle. */
  readonly accounts: Map<string, AccountHolder>;
  /** Where the ids of what people do come from. */
  readonly ids: SeededDice;
  /** What they have done. */
  deeds: number;
  /** By bot name, as its owner knows it. */
  readonly records: Map<string, BotRecord>;
  /** By bot name: its token, and how many it has had. */
  readonly tokens: Map<string, { token: string; count: number }>;
  /** By name@label. */
  readonly strengths: ReadonlyMap<string, Strength>;
  readonly agents: Map<string, Agent>;
  /** Connections with both ends alive. */
  readonly links: Set<Link>;
  /** By bot name: its latest admitted connection. */
  readonly latest: Map<string, Link>;
  /** Matches fought by the engine. */
  readonly fought: Set<string>;
  readonly watches: readonly Watch[];
  life: Life | null;
  isCalm: boolean;
  isClosing: boolean;
  complaint: Complaint | null;
};

export type WorldOptions = {
  plant?: Plant;
  watchesOf: (limits: Limits) => Watch[];
};

/** The simulation's own sizes: an exchange of a drawn fight stands for about thirty ticks. */
const OWN_LIMITS: Partial<Limits> = { tick_s: 20, budget_s: 900 };

export function createWorld(
  options: SimulationOptions,
  { watchesOf, plant = {} }: WorldOptions,
): World {
  const dice = createDice(options.seed);
  const limitDice = dice.branch("limits");
  const isTight = isTightIn(limitDice, options);
  const limits = drawLimits(limitDice, isTight, options);
  const plans = plansOf(dice.branch("ladders"), options, isTight);
  const population = drawPopulation(dice.branch("population"), { ...options, plans });
  return {
    options,
    plant,
    dice,
    timeline: openTimeline(new Date(options.start)),
    chronicle: openChronicle(),
    weather: fairWeather(),
    store: memoryStores(options.start)(),
    limits,
    plans,
    eventPlans: drawEvents(dice.branch("events"), options.days * DAY, plans),
    population,
    accounts: new Map(),
    ids: dice.branch("ids of deeds"),
    deeds: 0,
    records: new Map(),
    tokens: new Map(),
    strengths: strengthsOf(population),
    agents: new Map(),
    links: new Set(),
    latest: new Map(),
    fought: new Set(),
    watches: watchesOf(limits),
    life: null,
    isCalm: false,
    isClosing: false,
    complaint: null,
  };
}

function plansOf(dice: SeededDice, options: SimulationOptions, isTight: boolean) {
  if (options.ladders === "public") return [];
  return drawLadderPlans(dice, options.days * DAY, isTight);
}

const isTightIn = (dice: SeededDice, { limits }: SimulationOptions): boolean =>
  limits === "drawn" ? dice.chance(0.5) : limits === "tight";

/** Tight limits hold bots back every day. */
function drawLimits(dice: SeededDice, isTight: boolean, { bots }: SimulationOptions): Limits {
  if (!isTight) return limitsWith(OWN_LIMITS);
  return limitsWith({
    ...OWN_LIMITS,
    max_concurrent: Math.max(2, Math.ceil(bots * dice.between(0.04, 0.15))),
    owner_concurrency: 1 + dice.below(3),
    hourly_quota: 8 + dice.below(20),
    owner_daily_quota: 100 + dice.below(300),
    versions_per_day: 1 + dice.below(3),
    house_concurrency: 1 + dice.below(6),
    match_interval_s: dice.pick([30, 120]),
  });
}

export const versionKey = (name: string, label: string): string => `${name}@${label}`;

function strengthsOf(population: readonly BotSpec[]): Map<string, Strength> {
  const all = population.flatMap(({ name, versions }) =>
    versions.map(({ label, strength }) => [versionKey(name, label), strength] as const),
  );
  return new Map(all);
}

/** Texts told are logged as frames; waves and looks are large and follow from the rest. */
const UNWRITTEN: ReadonlySet<Notice["type"]> = new Set([
  "told",
  "wave",
  "looked",
  "standings",
  "finals",
]);

/** Logs what happened and shows it to the watches. Only the first complaint counts. */
export function notice(world: World, what: Notice): void {
  const { timeline, chronicle, watches } = world;
  const at = timeline.now();
  if (!UNWRITTEN.has(what.type)) chronicle.note(at, what.type, "", printNotice(what));
  world.complaint ??= show(watches, what, { at, wall: timeline.wall().getTime() });
}

/** Stacks are cut to messages: a run must be the same wherever the code lies. */
function printNotice(what: Notice): string {
  if (what.type !== "logged") return JSON.stringify(what);
  const [detail] = what.detail.split("\n", 1);
  return JSON.stringify({ ...what, detail });
}

/** Puts all bots into the world; the store knows those of the house before it opens. */
export async function populate(world: World): Promise<void> {
  const around = surroundingsOf(world);
  const { dice } = world;
  for (const spec of world.population)
    if (spec.house) await register(world, spec);
    else world.agents.set(spec.name, openAgent(spec, dice.branch(`agent ${spec.name}`), around));
}

function surroundingsOf(world: World): Surroundings {
  return {
    timeline: world.timeline,
    end: world.options.days * DAY,
    isCalm: () => world.isCalm,
    isClosing: () => world.isClosing,
    register: (spec) => register(world, spec),
    isBarred: (spec) => isBarred(world, spec),
    connect: (spec, end) => connect(world, spec, end),
    retireVersion: (spec, label) => void retireVersion(world, spec, label),
    rotateToken: (spec) => void rotateToken(world, spec),
    practise: (spec) => practise(world, spec),
    isFought: (matchId) => world.fought.has(matchId),
    wronged: ({ name }, matchId, reason) => {
      notice(world, { type: "wronged", matchId, botId: idOf(world, name), reason });
    },
  };
}

/** A bot is kept out with its owner. */
function isBarred({ accounts, records }: World, { name, account }: BotSpec): boolean {
  const owner = accounts.get(account ?? "");
  if (owner === undefined || (!owner.isBanned && !owner.hasLeft)) return false;
  const bot = records.get(name);
  return bot === undefined || bot.ownerId === owner.id || bot.status === "retired";
}

async function register(world: World, spec: BotSpec): Promise<void> {
  const { store, timeline, records, accounts, tokens, dice } = world;
  if (records.has(spec.name)) return;
  const wall = timeline.wall();
  const ids = dice.branch(`ids of ${spec.name}`);
  const { name, owner, house } = spec;
  const created = wall.toISOString();
  const id = drawId(ids, wall.getTime());
  const account = spec.claimedAt === null ? accounts.get(spec.account ?? "") : undefined;
  const bot = newBot({ id, name, owner, house, created, accountId: account?.id ?? null });
  const token = tokenOf(name, 0);
  tokens.set(name, { token, count: 0 });
  const outcome = await store.bots.add(bot, hashToken(token), null);
  if (outcome !== "added") return;
  records.set(name, bot);
  if (house) await store.versions.add(houseVersion(ids, bot), null);
  notice(world, { type: "registered", bot: botFacts(bot) });
}

export function botFacts({ id, name, owner, ownerId, house }: BotRecord): BotFacts {
  return { id, name, owner, house, accountId: accountOf(ownerId) };
}

function houseVersion(dice: SeededDice, { id: botId, created }: BotRecord) {
  const id = drawId(dice, Date.parse(created));
  return { id, botId, label: "v1", notes: "", created, retired: false };
}

const tokenOf = (name: string, count: number): string => `token-${count}-of-${name}`;

async function rotateToken(world: World, spec: BotSpec): Promise<void> {
  const bot = world.records.get(spec.name);
  const held = world.tokens.get(spec.name);
  if (bot === undefined || held === undefined) return;
  const count = held.count + 1;
  const token = tokenOf(spec.name, count);
  world.tokens.set(spec.name, { token, count });
  await world.store.bots.rotateToken(bot.id, hashToken(token));
  world.life?.arena.tokenRotated(bot.id);
}

function practise(world: World, { name }: BotSpec): void {
  const botId = idOf(world, name);
  const asked = world.life?.arena.askForPractice(botId) ?? null;
  if (asked !== null && "practice" in asked) notice(world, { type: "asked", botId });
}

async function retireVersion(world: World, spec: BotSpec, label: string): Promise<void> {
  const bot = world.records.get(spec.name);
  if (bot === undefined) return;
  const retired = await world.store.versions.retire(bot.id, label);
  if (retired !== null) world.life?.arena.versionRetired(bot.id, label);
}

function connect(world: World, spec: BotSpec, end: BotEnd): Link {
  const { timeline, weather, dice, links, latest, chronicle, life } = world;
  const deps: LinkDeps = {
    timeline,
    weather,
    dice: dice.branch(`link of ${spec.name} at ${timeline.now()}`),
    admit: (connection) => admit(world, life, spec, connection),
    admitted: (link) => {
      latest.set(spec.name, link);
      tellOfLeaving(world, spec, false);
    },
    arrived: (from, text) => {
      chronicle.note(timeline.now(), "<", spec.name, text ?? "(end)");
      const isLeaving = text === null || typeOf(text) === "leave";
      if (isLeaving && latest.get(spec.name) === from) tellOfLeaving(world, spec, text === null);
    },
    sent: (text) => {
      if (world.life !== life) return;
      chronicle.note(timeline.now(), ">", spec.name, text);
      tellWatches(world, spec, text);
    },
    broke: (broken) => links.delete(broken),
  };
  const link = new Link(deps, end);
  links.add(link);
  return link;
}

function tellOfLeaving(world: World, { name }: BotSpec, isGone: boolean): void {
  notice(world, { type: "left", botId: idOf(world, name), ladderId: null, isGone });
}

function tellWatches(world: World, { name }: BotSpec, text: string): void {
  const about = typeOf(text);
  if (about !== "observation")
    notice(world, { type: "told", botId: idOf(world, name), about, text });
}

const idOf = ({ records }: World, name: string): string => records.get(name)?.id ?? "";

async function admit(
  world: World,
  life: Life | null,
  spec: BotSpec,
  connection: Connection,
): Promise<Listener | null> {
  if (life === null || life !== world.life) throw new Error("nobody listens");
  const own = world.plant.connection?.(connection) ?? connection;
  return life.arena.arrive(own, `Bearer ${world.tokens.get(spec.name)?.token}`);
}
