// The whole ladder from one seed: population, network, store and faults around real server
// processes. Everything runs on the same virtual time and is checked by watches.

import { DAY_US } from "#base/util/time.ts";
import { accountIdOfOwner } from "#core/accounts/name-rules.ts";
import { limitsWith } from "#core/limits/limits.ts";
import type { Limits } from "#core/limits/limits.ts";
import { hashToken } from "#data/credentials/token.ts";
import { newBot } from "#data/store/bot.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { Store } from "#data/store/store.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import { openAgent, messageTypeOf } from "#testing/actors/agent.ts";
import type { Agent, AgentContext } from "#testing/actors/agent.ts";
import { drawEvents } from "#testing/actors/event-plan.ts";
import type { PlannedEvent } from "#testing/actors/event-plan.ts";
import { drawLadderPlans } from "#testing/actors/ladder-plan.ts";
import type { PlannedLadder } from "#testing/actors/ladder-plan.ts";
import { drawPopulation } from "#testing/actors/population.ts";
import type { AccountHolder, BotSpec } from "#testing/actors/population.ts";
import { notifyWatches } from "#testing/invariants/watch.ts";
import type { BotFacts, Complaint, Notice, Watch } from "#testing/invariants/watch.ts";
import { memoryStores } from "#testing/store-contract/memory-store.ts";

import { Link } from "./bot-link.ts";
import type { BotHandlers, LinkDeps } from "./bot-link.ts";
import { createConditions } from "./conditions.ts";
import type { SimulatedConditions } from "./conditions.ts";
import { createDice } from "./dice.ts";
import type { SeededDice } from "./dice.ts";
import { createEventLog } from "./event-log.ts";
import type { EventLog } from "./event-log.ts";
import { drawId } from "./ids.ts";
import type { SimulationOptions } from "./options.ts";
import type { PlantedBug } from "./planted-bug.ts";
import type { SimulatedServer } from "./simulated-server.ts";
import type { Strength } from "./strength.ts";
import { createTimeline } from "./timeline.ts";
import type { Timeline } from "./timeline.ts";

export type World = {
  readonly options: SimulationOptions;
  readonly plantedBug: PlantedBug;
  readonly dice: SeededDice;
  readonly timeline: Timeline;
  readonly eventLog: EventLog;
  readonly conditions: SimulatedConditions;
  readonly store: Store;
  readonly limits: Limits;
  readonly ladderPlans: readonly PlannedLadder[];
  readonly population: readonly BotSpec[];
  readonly eventPlans: readonly PlannedEvent[];
  readonly accounts: Map<string, AccountHolder>;
  readonly ids: SeededDice;
  mutationCount: number;
  readonly records: Map<string, BotRecord>;
  /** By bot name: the current token, and the number of tokens issued so far. */
  readonly tokens: Map<string, { token: string; count: number }>;
  /** By name@label. */
  readonly strengths: ReadonlyMap<string, Strength>;
  readonly agents: Map<string, Agent>;
  readonly links: Set<Link>;
  readonly latestLinks: Map<string, Link>;
  readonly engineMatchIds: Set<string>;
  readonly watches: readonly Watch[];
  server: SimulatedServer | null;
  isCalm: boolean;
  isClosing: boolean;
  complaint: Complaint | null;
};

export type WorldOptions = {
  plantedBug?: PlantedBug;
  createWatches: (limits: Limits) => Watch[];
};

/** Scaled for sampled matches, in which one exchange represents about thirty ticks. */
const SIMULATION_LIMITS: Partial<Limits> = { tick_s: 20, budget_s: 900 };

export function createWorld(
  options: SimulationOptions,
  { createWatches, plantedBug = {} }: WorldOptions,
): World {
  const dice = createDice(options.seed);
  const limitDice = dice.branch("limits");
  const isTight = drawIsTight(limitDice, options);
  const limits = drawLimits(limitDice, isTight, options);
  const ladderPlans = drawPlans(dice.branch("ladders"), options, isTight);
  const population = drawPopulation(dice.branch("population"), { ...options, ladderPlans });
  return {
    options,
    plantedBug,
    dice,
    timeline: createTimeline(new Date(options.start)),
    eventLog: createEventLog(),
    conditions: createConditions(),
    store: memoryStores(options.start)(),
    limits,
    ladderPlans,
    eventPlans: drawEvents(dice.branch("events"), options.days * DAY_US, ladderPlans),
    population,
    accounts: new Map(),
    ids: dice.branch("ids of deeds"),
    mutationCount: 0,
    records: new Map(),
    tokens: new Map(),
    strengths: collectStrengths(population),
    agents: new Map(),
    links: new Set(),
    latestLinks: new Map(),
    engineMatchIds: new Set(),
    watches: createWatches(limits),
    server: null,
    isCalm: false,
    isClosing: false,
    complaint: null,
  };
}

function drawPlans(dice: SeededDice, options: SimulationOptions, isTight: boolean) {
  if (options.ladders === "public") return [];
  return drawLadderPlans(dice, options.days * DAY_US, isTight);
}

const drawIsTight = (dice: SeededDice, { limits }: SimulationOptions): boolean =>
  limits === "drawn" ? dice.chance(0.5) : limits === "tight";

/** Draws the limits. Tight limits make bots wait every day. */
function drawLimits(dice: SeededDice, isTight: boolean, { bots }: SimulationOptions): Limits {
  if (!isTight) return limitsWith(SIMULATION_LIMITS);
  return limitsWith({
    ...SIMULATION_LIMITS,
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

function collectStrengths(population: readonly BotSpec[]): Map<string, Strength> {
  const entries = population.flatMap(({ name, versions }) =>
    versions.map(({ label, strength }) => [versionKey(name, label), strength] as const),
  );
  return new Map(entries);
}

/**
 * Sent messages are already logged as frames. Waves and observations are large and follow from the
 * other events.
 */
const UNLOGGED_TYPES: ReadonlySet<Notice["type"]> = new Set([
  "told",
  "wave",
  "looked",
  "standings",
  "finals",
]);

/** Logs a notice and sends it to the watches. Records only the first complaint. */
export function emitNotice(world: World, payload: Notice): void {
  const { timeline, eventLog, watches } = world;
  const at = timeline.now();
  if (!UNLOGGED_TYPES.has(payload.type))
    eventLog.append(at, payload.type, "", formatNotice(payload));
  world.complaint ??= notifyWatches(watches, payload, { at, wall: timeline.wall().getTime() });
}

/** Replaces stacks with messages, because a run must not depend on the location of its code. */
function formatNotice(payload: Notice): string {
  if (payload.type !== "logged") return JSON.stringify(payload);
  const [detail] = payload.detail.split("\n", 1);
  return JSON.stringify({ ...payload, detail });
}

/** Adds all bots. House bots must be in the store before the server opens it. */
export async function createBots(world: World): Promise<void> {
  const agentContext = createAgentContext(world);
  const { dice } = world;
  for (const spec of world.population)
    if (spec.house) await register(world, spec);
    else
      world.agents.set(spec.name, openAgent(spec, dice.branch(`agent ${spec.name}`), agentContext));
}

function createAgentContext(world: World): AgentContext {
  return {
    timeline: world.timeline,
    end: world.options.days * DAY_US,
    isCalm: () => world.isCalm,
    isClosing: () => world.isClosing,
    register: (spec) => register(world, spec),
    isBarred: (spec) => isBarred(world, spec),
    connect: (spec, end) => connect(world, spec, end),
    retireVersion: (spec, label) => void retireVersion(world, spec, label),
    rotateToken: (spec) => void rotateToken(world, spec),
    requestPractice: (spec) => requestPractice(world, spec),
    runsOnEngine: (matchId) => world.engineMatchIds.has(matchId),
    reportUndeservedEnd: ({ name }, matchId, reason) => {
      emitNotice(world, { type: "wronged", matchId, botId: botIdOf(world, name), reason });
    },
  };
}

/** Whether the server refuses the bot because its owner is banned or gone. */
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
  const token = createToken(name, 0);
  tokens.set(name, { token, count: 0 });
  const outcome = await store.bots.add(bot, hashToken(token), null);
  if (outcome !== "added") return;
  records.set(name, bot);
  if (house) await store.versions.add(houseVersion(ids, bot), null);
  emitNotice(world, { type: "registered", bot: botFacts(bot) });
}

export function botFacts({ id, name, owner, ownerId, house }: BotRecord): BotFacts {
  return { id, name, owner, house, accountId: accountIdOfOwner(ownerId) };
}

function houseVersion(dice: SeededDice, { id: botId, created }: BotRecord) {
  const id = drawId(dice, Date.parse(created));
  return { id, botId, label: "v1", notes: "", created, retired: false };
}

const createToken = (name: string, count: number): string => `token-${count}-of-${name}`;

async function rotateToken(world: World, spec: BotSpec): Promise<void> {
  const bot = world.records.get(spec.name);
  const currentToken = world.tokens.get(spec.name);
  if (bot === undefined || currentToken === undefined) return;
  const count = currentToken.count + 1;
  const token = createToken(spec.name, count);
  world.tokens.set(spec.name, { token, count });
  await world.store.bots.rotateToken(bot.id, hashToken(token));
  world.server?.arena.onTokenRotated(bot.id);
}

function requestPractice(world: World, { name }: BotSpec): void {
  const botId = botIdOf(world, name);
  const response = world.server?.arena.requestPractice(botId) ?? null;
  if (response !== null && "practice" in response) emitNotice(world, { type: "asked", botId });
}

async function retireVersion(world: World, spec: BotSpec, label: string): Promise<void> {
  const bot = world.records.get(spec.name);
  if (bot === undefined) return;
  const retiredVersion = await world.store.versions.retire(bot.id, label);
  if (retiredVersion !== null) world.server?.arena.onVersionRetired(bot.id, label);
}

function connect(world: World, spec: BotSpec, end: BotHandlers): Link {
  const { timeline, conditions, dice, links, latestLinks, eventLog, server } = world;
  const deps: LinkDeps = {
    timeline,
    conditions,
    dice: dice.branch(`link of ${spec.name} at ${timeline.now()}`),
    admit: (connection) => admit(world, server, spec, connection),
    onAdmitted: (link) => {
      latestLinks.set(spec.name, link);
      emitLeft(world, spec, false);
    },
    onFrameReceived: (from, text) => {
      eventLog.append(timeline.now(), "<", spec.name, text ?? "(end)");
      const isLeaving = text === null || messageTypeOf(text) === "leave";
      if (isLeaving && latestLinks.get(spec.name) === from) emitLeft(world, spec, text === null);
    },
    onTextSent: (text) => {
      if (world.server !== server) return;
      eventLog.append(timeline.now(), ">", spec.name, text);
      emitTold(world, spec, text);
    },
    onBroken: (broken) => links.delete(broken),
  };
  const link = new Link(deps, end);
  links.add(link);
  return link;
}

function emitLeft(world: World, { name }: BotSpec, isGone: boolean): void {
  emitNotice(world, { type: "left", botId: botIdOf(world, name), ladderId: null, isGone });
}

function emitTold(world: World, { name }: BotSpec, text: string): void {
  const about = messageTypeOf(text);
  if (about !== "observation")
    emitNotice(world, { type: "told", botId: botIdOf(world, name), about, text });
}

const botIdOf = ({ records }: World, name: string): string => records.get(name)?.id ?? "";

async function admit(
  world: World,
  server: SimulatedServer | null,
  spec: BotSpec,
  connection: Connection,
): Promise<Listener | null> {
  if (server === null || server !== world.server) throw new Error("server is down");
  const plantedConnection = world.plantedBug.connection?.(connection) ?? connection;
  return server.arena.connectBot(plantedConnection, `Bearer ${world.tokens.get(spec.name)?.token}`);
}
