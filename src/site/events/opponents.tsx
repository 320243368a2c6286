import { useState } from "preact/hooks";

import type { EventProgress } from "#core/resources/event.ts";
import type { HouseKind } from "#core/words/house.ts";
import { livePath, matchPath } from "#site/look/links.ts";
import { Section } from "#site/look/parts.tsx";
import { When } from "#site/look/when.tsx";
import type { Desk } from "#site/sign-in/desk.ts";

import { Countdown } from "./countdown.tsx";
import { opponentName } from "./words.ts";

type OpponentsProps = {
  progress: EventProgress;
  desk: Desk;
  take: (progress: EventProgress) => void;
  /** The server's clock, in ms since 1970. */
  now: number;
};

/** Asking for a house bot as the next opponent, so that nobody waits for one by chance. */
export function Opponents(props: OpponentsProps) {
  const { event, membership, request, last_request: last } = props.progress;
  if (membership !== "active" || event.phase === "upcoming" || !event.enabled) return null;
  return (
    <Section id="opponent" title="Ask for an opponent" note={NOTES[event.phase]}>
      {event.phase === "open" && (
        <p class="sub opponent-about">
          The next wave in which both are free pairs your bot with the house bot that you choose. It
          is a rated bout like any.
        </p>
      )}
      {request !== null ? (
        <Asked {...props} request={request} />
      ) : event.phase === "closed" ? (
        <p class="empty">The event is closed: no more games are asked for.</p>
      ) : (
        <Asking {...props} />
      )}
      {last !== null && <Last last={last} />}
    </Section>
  );
}

const NOTES = { open: "One request at a time", closed: "It is over" } as const;

const RESULT_WORDS = { W: "won against", L: "lost to", D: "drew with" } as const;

/** How the last game ended that was asked for. */
function Last({ last }: { last: NonNullable<EventProgress["last_request"]> }) {
  const { bot, opponent, result, started, match_id } = last;
  return (
    <p class="last-request">
      The last one that you asked for: <bdi>{bot}</bdi> {RESULT_WORDS[result]}{" "}
      {opponentName(opponent)}, <When instant={started} />.{" "}
      <a href={matchPath(match_id)}>See it again</a>
    </p>
  );
}

const opponentPath = (event: string): string => `/api/account/events/${event}/opponent`;

type Request = NonNullable<EventProgress["request"]>;

function Asked({ progress, desk, take, request }: OpponentsProps & { request: Request }) {
  const [refusal, setRefusal] = useState("");
  const names = (
    <>
      <bdi>{request.bot}</bdi> against {opponentName(request.opponent)}
    </>
  );
  if (request.state === "playing")
    return (
      <p class="request" role="status">
        {names} is being fought.{" "}
        {request.match_id !== null && <a href={livePath(request.match_id)}>Watch it</a>}
      </p>
    );
  const cancel = async () => {
    const answer = await desk.ask<EventProgress>("DELETE", opponentPath(progress.event.id));
    if ("refusal" in answer) return setRefusal(answer.refusal.text);
    desk.say("You no longer ask for it.");
    take(answer.value);
  };
  const isAway = progress.event.unavailable_opponents.includes(request.opponent);
  const waits = isAway
    ? `waits until ${opponentName(request.opponent)} is to be had again, or the event closes`
    : "waits for a wave in which both are free";
  return (
    <div class="request">
      <p role="status">
        You have asked for {names}. It {waits}.
      </p>
      <button type="button" class="button quiet" onClick={() => void cancel()}>
        Ask no more
      </button>
      <p class="refusal" role="alert">
        {refusal}
      </p>
    </div>
  );
}

function Asking(props: OpponentsProps) {
  const { progress, now } = props;
  const { event, bots, next_request_at: next } = progress;
  const isWithin = next !== null && Date.parse(next) > now;
  if (isWithin && Date.parse(next) >= Date.parse(event.closes_at))
    return <p class="empty">The event closes before you could ask again.</p>;
  const away = event.unavailable_opponents;
  const free = event.approved_opponents.filter((kind) => !away.includes(kind));
  const ready = bots.filter(({ online, state }) => online && state !== "idle");
  return (
    <>
      {away.length > 0 && (
        <p class="notice">
          {away.map(opponentName).join(", ")}: not to be had at present. The operator has to approve
          the version that plays.
        </p>
      )}
      {isWithin && (
        <p class="sub">
          <Countdown verb="You can ask again" at={next} now={now} />
        </p>
      )}
      {ready.length === 0 ? (
        <p class="empty">
          None of your bots waits or plays on this ladder. Start one, and have it queue there.
        </p>
      ) : (
        free.length > 0 && <AskForm {...props} {...{ ready, free }} isWaiting={isWithin} />
      )}
    </>
  );
}

type AskFormProps = OpponentsProps & {
  ready: EventProgress["bots"];
  free: readonly HouseKind[];
  isWaiting: boolean;
};

function AskForm({ progress, desk, take, ready, free, isWaiting }: AskFormProps) {
  const [refusal, setRefusal] = useState("");
  const [isSending, setSending] = useState(false);
  const send = async (form: HTMLFormElement) => {
    if (isSending || isWaiting) return;
    const data = new FormData(form);
    setSending(true);
    const body = { bot_id: data.get("bot"), opponent: data.get("opponent") };
    const path = opponentPath(progress.event.id);
    const answer = await desk.ask<EventProgress>("POST", path, body);
    setSending(false);
    setRefusal("refusal" in answer ? answer.refusal.text : "");
    if ("value" in answer) take(answer.value);
  };
  return (
    <form
      class="form opponent-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send(event.currentTarget);
      }}
    >
      <Choice
        name="bot"
        label="Your bot"
        options={ready.map(({ id, name, state }) => [id, `${name} (${state})`])}
      />
      <Choice
        name="opponent"
        label="Against"
        options={free.map((kind) => [kind, opponentName(kind)])}
      />
      <p class="form-send">
        <button class="button" type="submit" aria-disabled={isSending || isWaiting}>
          {isSending ? "Asking…" : "Ask for it"}
        </button>
      </p>
      <p class="refusal" role="alert">
        {refusal}
      </p>
    </form>
  );
}

type ChoiceProps = {
  name: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
};

function Choice({ name, label, options }: ChoiceProps) {
  const id = `opponent-${name}`;
  return (
    <div class="question">
      <label for={id}>{label}</label>
      <select id={id} name={name}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
