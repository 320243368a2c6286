// Runs house bots as the server does. Their worker pools run on virtual time and are subject to
// faults.

import { HOUSE_POLICIES } from "#core/bot-policies/house-policies.ts";
import type { Policy, PolicyContext } from "#core/bot-policies/policy.ts";
import type { BotId, LadderId, MatchId } from "#core/ids/ids.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import type { HouseSessionId } from "#live/arena/house-connections.ts";
import { HOUSE_VERSION, openHouse } from "#live/house-bots/house.ts";
import type { HouseDeps } from "#live/house-bots/house.ts";
import { findPracticeOpponent } from "#live/practice/find-practice-opponent.ts";
import { messageTypeOf } from "#testing/actors/agent.ts";
import type { Agent } from "#testing/actors/agent.ts";
import { parseMatchId, parseSeat, undeservedEndReason } from "#testing/actors/match-play.ts";
import type { MatchSeat } from "#testing/actors/match-play.ts";
import { housePolicyOf } from "#testing/actors/policy.ts";

import { openLocalPool } from "./local-pool.ts";
import type { LocalPool } from "./local-pool.ts";
import type { SimulatedServer } from "./simulated-server.ts";
import { emitNotice } from "./world.ts";
import type { World } from "./world.ts";

const TRANSFER_MS = 1;
const THINK_DELAY_MS = [100, 300] as const;

type HouseObservation = Parameters<Policy["turn"]>[0];

/** House bots have no network to fail. Instead, their workers hang or die. */
class HouseAgent implements Agent {
  #pool: LocalPool | null = null;
  #isFaulty = false;
  /** At most one match per ladder. */
  readonly #matchSeats = new Map<MatchId, MatchSeat>();

  setPool(pool: LocalPool): void {
    this.#pool = pool;
    this.#isFaulty = false;
  }

  /**
   * Returns the end reason if the bot didn't win even though it made no mistakes; otherwise null.
   */
  handleMessage(text: string): string | null {
    const type = messageTypeOf(text);
    const matchId = parseMatchId(text);
    if (type === "hello") this.#addMatchSeat(matchId, parseSeat(text));
    if (type !== "end") return null;
    const undeservedReason = undeservedEndReason(this.#matchSeats.get(matchId) ?? null, text);
    this.#matchSeats.delete(matchId);
    return undeservedReason;
  }

  #addMatchSeat(matchId: MatchId, seat: string): void {
    if (this.#matchSeats.has(matchId)) return;
    this.#matchSeats.set(matchId, { matchId, seat, isAtFault: this.#isFaulty });
  }

  get isHealthy(): boolean {
    return !this.#isFaulty;
  }

  isBlameless(matchId: MatchId): boolean {
    return this.#matchSeats.get(matchId)?.isAtFault === false;
  }

  dropConnection(serverKnowsAfterMs: number): void {
    this.#isFaulty = true;
    for (const matchSeat of this.#matchSeats.values()) matchSeat.isAtFault = true;
    if (serverKnowsAfterMs === Infinity) this.#pool?.hang();
    else this.#pool?.terminate();
  }

  /** House bots never leave, so that they never meet each other. */
  leaveIfIdle(): void {}
}

export async function openSimulatedHouse(world: World, server: SimulatedServer): Promise<void> {
  const { timeline, records, dice } = world;
  const bots = [...records.values()].filter(({ house }) => house);
  const agents = new Map(bots.map(({ name }) => [name, new HouseAgent()]));
  for (const [name, agent] of agents) world.agents.set(name, agent);
  const thinkDice = dice.branch(`house at ${timeline.now()}`);
  const whileAlive = (callback: () => void) => () => {
    if (world.server === server) callback();
  };
  const spawn: HouseDeps["spawnWorker"] = (name, handleMessage) => {
    const deps = {
      label: HOUSE_VERSION,
      createPlayer: (hello: PolicyContext) => createHousePlayer(world, name, hello),
      delayTurn: (callback: () => void) =>
        void timeline.after(thinkDice.between(...THINK_DELAY_MS), callback),
      carry: (callback: () => void) => void timeline.after(TRANSFER_MS, whileAlive(callback)),
    };
    const pool = openLocalPool<PolicyContext, HouseObservation>(deps, handleMessage);
    const agent = agents.get(name);
    agent?.setPool(pool);
    const end = () => {
      if (agent?.isHealthy === true) emitNotice(world, { type: "given_up", bot: name });
      pool.terminate();
    };
    return { ...pool, terminate: end };
  };
  const names = new Map(bots.map(({ id, name }) => [id, name]));
  const attach = async (place: HouseSessionId, connection: Connection) => {
    const name = names.get(place.botId) ?? "";
    const loggedConnection = createLoggedConnection(
      world,
      server,
      { name, ...place },
      connection,
      agents.get(name),
    );
    const plantedConnection = world.plantedBug.connection?.(loggedConnection) ?? loggedConnection;
    const listener = await server.arena.connectHouseBot(place, plantedConnection);
    if (listener === null) return null;
    emitNotice(world, {
      type: "left",
      botId: place.botId,
      ladderId: place.ladderId,
      isGone: false,
    });
    return createLoggedListener(world, { name, ...place }, listener);
  };
  const house = openHouse(
    { ...server.deps, arena: { ...server.arena, connectHouseBot: attach }, spawnWorker: spawn },
    bots,
  );
  server.arena.setPracticeOpponent(await findPracticeOpponent({ store: world.store, house }, bots));
}

/** Plays the bot's own policy in engine matches. Sampled matches accept any valid response. */
function createHousePlayer(
  { engineMatchIds }: World,
  name: string,
  hello: PolicyContext,
): { turn(loggedConnection: HouseObservation): object } {
  if (!engineMatchIds.has(hello.match_id)) return { turn: () => ({}) };
  return HOUSE_POLICIES[housePolicyOf(name)](hello);
}

type Seat = { name: string; botId: BotId; ladderId: LadderId };

function createLoggedConnection(
  world: World,
  server: SimulatedServer,
  { name, botId }: Seat,
  connection: Connection,
  agent: HouseAgent | undefined,
): Connection {
  const { timeline, eventLog } = world;
  const logSentText = (text: string) => {
    if (world.server !== server) return;
    eventLog.append(timeline.now(), ">", name, text);
    const about = messageTypeOf(text);
    if (about === "observation") return;
    emitNotice(world, { type: "told", botId, about, text });
    const reason = agent?.handleMessage(text) ?? null;
    if (reason !== null)
      emitNotice(world, { type: "wronged", matchId: parseMatchId(text), botId, reason });
  };
  return {
    send: (text) => {
      logSentText(text);
      connection.send(text);
    },
    sendObservation: (text, written) => {
      logSentText(text);
      connection.sendObservation(text, written);
    },
    close: (code, reason) => connection.close(code, reason),
    terminate: () => connection.terminate(),
    ping: () => connection.ping(),
    bufferedBytes: 0,
  };
}

function createLoggedListener(
  world: World,
  { name, botId, ladderId }: Seat,
  listener: Listener,
): Listener {
  const { timeline, eventLog } = world;
  return {
    onFrame: (text) => {
      eventLog.append(timeline.now(), "<", name, text ?? "");
      listener.onFrame(text);
    },
    onPong: () => listener.onPong(),
    onClose: () => {
      eventLog.append(timeline.now(), "<", name, "(end)");
      emitNotice(world, { type: "left", botId, ladderId, isGone: true });
      listener.onClose();
    },
  };
}
