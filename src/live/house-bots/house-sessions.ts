// Sessions of one house bot. Each session speaks the bot protocol like any client, plays its own
// matches and answers pings.

import type { Turn } from "#core/engine/types.ts";
import type { LadderId } from "#core/ids/ids.ts";

export type SessionCommand =
  /**
   * A null ladder opens a session for a human or practice match. Turns in such a session are sent
   * without delay.
   */
  | { type: "open"; ladderId: LadderId | null }
  | { type: "frame"; text: string }
  | { type: "ping" }
  | { type: "close" };

export type HouseCommand = { session: number } & SessionCommand;

export type HouseMessage = { session: number } & (
  | { type: "frame"; text: string }
  | { type: "pong" }
);

/** Fields that a session reads itself. The rest of the message goes to the player. */
type Message = { type: string; match_id: string; tick: number };

type Player<Observation> = { turn(observation: Observation): Turn };

export type HouseSessionsDeps<Hello, Observation> = {
  label: string;
  createPlayer(hello: Hello): Player<Observation>;
  send(houseMessage: HouseMessage): void;
  delayTurn(sendTurn: () => void): void;
};

export function openHouseSessions<Hello, Observation>(
  deps: HouseSessionsDeps<Hello, Observation>,
): (command: HouseCommand) => void {
  const sessions = new Map<number, Session<Hello, Observation>>();
  return (command) => {
    const { session } = command;
    switch (command.type) {
      case "open":
        sessions.set(session, new Session(deps, session, command.ladderId));
        break;
      case "frame":
        sessions.get(session)?.handleText(command.text);
        break;
      case "ping":
        deps.send({ session, type: "pong" });
        break;
      case "close":
        sessions.delete(session);
        break;
    }
  };
}

class Session<Hello, Observation> {
  readonly #deps: HouseSessionsDeps<Hello, Observation>;
  readonly #session: number;
  readonly #ladderId: LadderId | null;
  #player: Player<Observation> | null = null;

  constructor(
    deps: HouseSessionsDeps<Hello, Observation>,
    session: number,
    ladderId: LadderId | null,
  ) {
    this.#deps = deps;
    this.#session = session;
    this.#ladderId = ladderId;
    this.#queue();
  }

  handleText(text: string): void {
    const message = JSON.parse(text) as Message;
    switch (message.type) {
      case "hello":
        this.#player = this.#deps.createPlayer(message as Hello);
        this.#send({ type: "ready", match_id: message.match_id });
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
    const answer = () => this.#send({ type: "turn", tick: message.tick, ...turn });
    if (this.#ladderId === null) answer();
    else this.#deps.delayTurn(answer);
  }

  #queue(): void {
    if (this.#ladderId === null) return;
    this.#send({ type: "queue", version: this.#deps.label, ladder_id: this.#ladderId });
  }

  #send(message: object): void {
    this.#deps.send({ session: this.#session, type: "frame", text: JSON.stringify(message) });
  }
}
