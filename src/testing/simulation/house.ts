// The house bots as the server runs them, with crews on virtual time that the world can disturb.

import type { Policy, Facts } from "#core/policies/choice.ts";
import { HOUSE_MAKERS } from "#core/policies/house.ts";
import type { BotId, LadderId, MatchId } from "#core/words/ids.ts";
import type { Connection, Listener } from "#live/arena/connection.ts";
import type { HousePlace } from "#live/arena/house-arrival.ts";
import { HOUSE_VERSION, openHouse } from "#live/house/house.ts";
import type { HouseDeps } from "#live/house/house.ts";
import { findOpponent } from "#live/practice/find-opponent.ts";
import { typeOf } from "#testing/actors/agent.ts";
import type { Agent } from "#testing/actors/agent.ts";
import { matchIdOf, seatOf, wrongBy } from "#testing/actors/match-play.ts";
import type { Sitting } from "#testing/actors/match-play.ts";
import { housePolicyOf } from "#testing/actors/policy.ts";

import { openLocalCrew } from "./local-crew.ts";
import type { LocalCrew } from "./local-crew.ts";
import type { Life } from "./server-life.ts";
import { notice } from "./world.ts";
import type { World } from "./world.ts";

const CARRY_MS = 1;
const THINK_MS = [100, 300] as const;

type Seen = Parameters<Policy["turn"]>[0];

/** What the world does to a house bot. There is no network in between: its crew hangs or dies. */
class HouseAgent implements Agent {
  #crew: LocalCrew | null = null;
  #isStruck = false;
  /** One on each ladder at most, by match id. */
  readonly #sittings = new Map<MatchId, Sitting>();

  hired(crew: LocalCrew): void {
    this.#crew = crew;
    this.#isStruck = false;
  }

  /** The reason of an end that a sound bot did not deserve, or null. */
  hear(text: string): string | null {
    const type = typeOf(text);
    const matchId = matchIdOf(text);
    if (type === "hello") this.#sit(matchId, seatOf(text));
    if (type !== "end") return null;
    const wrong = wrongBy(this.#sittings.get(matchId) ?? null, text);
    this.#sittings.delete(matchId);
    return wrong;
  }

  #sit(matchId: MatchId, seat: string): void {
    if (this.#sittings.has(matchId)) return;
    this.#sittings.set(matchId, { matchId, seat, isToBlame: this.#isStruck });
  }

  get isSound(): boolean {
    return !this.#isStruck;
  }

  isBlameless(matchId: MatchId): boolean {
    return this.#sittings.get(matchId)?.isToBlame === false;
  }

  cut(serverKnowsAfterMs: number): void {
    this.#isStruck = true;
    for (const sitting of this.#sittings.values()) sitting.isToBlame = true;
    if (serverKnowsAfterMs === Infinity) this.#crew?.hang();
    else this.#crew?.end();
  }

  /** The house stays: its bots do not meet one another. */
  retreat(): void {}
}

/** Opens the house of one life of the server. */
export async function openHouseOf(world: World, life: Life): Promise<void> {
  const { timeline, records, dice } = world;
  const bots = [...records.values()].filter(({ house }) => house);
  const agents = new Map(bots.map(({ name }) => [name, new HouseAgent()]));
  for (const [name, agent] of agents) world.agents.set(name, agent);
  const thoughts = dice.branch(`house at ${timeline.now()}`);
  const whileAlive = (call: () => void) => () => {
    if (world.life === life) call();
  };
  const hire: HouseDeps["hire"] = (name, hear) => {
    const deps = {
      label: HOUSE_VERSION,
      createPlayer: (hello: Facts) => playerOf(world, name, hello),
      pace: (call: () => void) => void timeline.after(thoughts.between(...THINK_MS), call),
      carry: (call: () => void) => void timeline.after(CARRY_MS, whileAlive(call)),
    };
    const crew = openLocalCrew<Facts, Seen>(deps, hear);
    const agent = agents.get(name);
    agent?.hired(crew);
    const end = () => {
      if (agent?.isSound === true) notice(world, { type: "given_up", bot: name });
      crew.end();
    };
    return { ...crew, end };
  };
  const names = new Map(bots.map(({ id, name }) => [id, name]));
  const welcome = async (place: HousePlace, connection: Connection) => {
    const name = names.get(place.botId) ?? "";
    const seen = seenConnection(world, life, { name, ...place }, connection, agents.get(name));
    const own = world.plant.connection?.(seen) ?? seen;
    const listener = await life.arena.welcome(place, own);
    if (listener === null) return null;
    notice(world, { type: "left", botId: place.botId, ladderId: place.ladderId, isGone: false });
    return seenListener(world, { name, ...place }, listener);
  };
  const house = openHouse({ ...life.deps, arena: { ...life.arena, welcome }, hire }, bots);
  life.arena.practiseAgainst(await findOpponent({ store: world.store, house }, bots));
}

/** On the engine, the bot's own policy; a drawn fight needs no more than an answer. */
function playerOf({ fought }: World, name: string, hello: Facts): { turn(seen: Seen): object } {
  if (!fought.has(hello.match_id)) return { turn: () => ({}) };
  return HOUSE_MAKERS[housePolicyOf(name)](hello);
}

type Seat = { name: string; botId: BotId; ladderId: LadderId };

function seenConnection(
  world: World,
  life: Life,
  { name, botId }: Seat,
  connection: Connection,
  agent: HouseAgent | undefined,
): Connection {
  const { timeline, chronicle } = world;
  const note = (text: string) => {
    if (world.life !== life) return;
    chronicle.note(timeline.now(), ">", name, text);
    const about = typeOf(text);
    if (about === "observation") return;
    notice(world, { type: "told", botId, about, text });
    const reason = agent?.hear(text) ?? null;
    if (reason !== null)
      notice(world, { type: "wronged", matchId: matchIdOf(text), botId, reason });
  };
  return {
    send: (text) => {
      note(text);
      connection.send(text);
    },
    show: (text, written) => {
      note(text);
      connection.show(text, written);
    },
    close: (code, reason) => connection.close(code, reason),
    terminate: () => connection.terminate(),
    ping: () => connection.ping(),
    buffered: 0,
  };
}

function seenListener(world: World, { name, botId, ladderId }: Seat, listener: Listener): Listener {
  const { timeline, chronicle } = world;
  return {
    frame: (text) => {
      chronicle.note(timeline.now(), "<", name, text ?? "");
      listener.frame(text);
    },
    pong: () => listener.pong(),
    closed: () => {
      chronicle.note(timeline.now(), "<", name, "(end)");
      notice(world, { type: "left", botId, ladderId, isGone: true });
      listener.closed();
    },
  };
}
