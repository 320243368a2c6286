// All sessions of one house bot, however they are reached. Each speaks the bot protocol like any
// client, plays its own matches, and answers pings.

import type { Turn } from "#core/engine/types.ts";
import type { LadderId } from "#core/words/ids.ts";

/** Orders to a session, which lives from `open` to `close`. */
export type SessionOrder =
  /** Without a ladder it is lent: it waits for a fight with a person, and answers at once. */
  | { type: "open"; ladderId: LadderId | null }
  | { type: "frame"; text: string }
  | { type: "ping" }
  | { type: "close" };

export type CrewOrder = { session: number } & SessionOrder;

export type CrewWord = { session: number } & ({ type: "frame"; text: string } | { type: "pong" });

/** What a session itself reads of messages; the rest is passed on to its player. */
type Message = { type: string; match_id: string; tick: number };

/** Plays one match. */
type Player<Observation> = { turn(observation: Observation): Turn };

export type CrewDeps<Hello, Observation> = {
  /** The version that every session queues with. */
  label: string;
  createPlayer(hello: Hello): Player<Observation>;
  say(word: CrewWord): void;
  /** Calls back once, when a finished turn may be sent. */
  pace(call: () => void): void;
};

/** The crew, as a function that takes orders. */
export function openCrew<Hello, Observation>(
  deps: CrewDeps<Hello, Observation>,
): (order: CrewOrder) => void {
  const sessions = new Map<number, Session<Hello, Observation>>();
  return (order) => {
    const { session } = order;
    switch (order.type) {
      case "open":
        sessions.set(session, new Session(deps, session, order.ladderId));
        break;
      case "frame":
        sessions.get(session)?.hear(order.text);
        break;
      case "ping":
        deps.say({ session, type: "pong" });
        break;
      case "close":
        sessions.delete(session);
        break;
    }
  };
}

class Session<Hello, Observation> {
  readonly #deps: CrewDeps<Hello, Observation>;
  readonly #session: number;
  readonly #ladderId: LadderId | null;
  #player: Player<Observation> | null = null;

  constructor(deps: CrewDeps<Hello, Observation>, session: number, ladderId: LadderId | null) {
    this.#deps = deps;
    this.#session = session;
    this.#ladderId = ladderId;
    this.#queue();
  }

  hear(text: string): void {
    const message = JSON.parse(text) as Message;
    switch (message.type) {
      case "hello":
        this.#player = this.#deps.createPlayer(message as Hello);
        this.#say({ type: "ready", match_id: message.match_id });
        break;
      case "observation":
        this.#answer(message);
        break;
      case "end":
        this.#player = null;
        this.#queue();
        break;
      default:
        break;
    }
  }

  #answer(message: Message): void {
    if (this.#player === null) return;
    const turn = this.#player.turn(message as Observation);
    const answer = () => this.#say({ type: "turn", tick: message.tick, ...turn });
    if (this.#ladderId === null) answer();
    else this.#deps.pace(answer);
  }

  #queue(): void {
    if (this.#ladderId === null) return;
    this.#say({ type: "queue", version: this.#deps.label, ladder_id: this.#ladderId });
  }

  #say(message: object): void {
    this.#deps.say({ session: this.#session, type: "frame", text: JSON.stringify(message) });
  }
}
