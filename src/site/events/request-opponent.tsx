import { useState } from "preact/hooks";

import type { EventProgress } from "#core/api/event.ts";
import type { HouseKind } from "#core/ids/house-bots.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { liveMatchPath, matchResultPath } from "#site/ui/links.ts";
import { Section } from "#site/ui/section.tsx";
import { TimeLabel } from "#site/ui/time-label.tsx";

import { Countdown } from "./countdown.tsx";
import { houseBotName } from "./event-texts.ts";

type RequestOpponentProps = {
  progress: EventProgress;
  auth: AuthContext;
  setProgress: (progress: EventProgress) => void;
  /** Server time, in Unix ms. */
  now: number;
};

/** Requests a house bot as the next opponent, so players don't depend on random pairing. */
export function RequestOpponent(props: RequestOpponentProps) {
  const { event, membership, request, last_request: lastRequest } = props.progress;
  if (membership !== "active" || event.phase === "upcoming" || !event.enabled) return null;
  return (
    <Section id="opponent" title="Request an opponent" note={PHASE_NOTES[event.phase]}>
      {event.phase === "open" && (
        <p class="sub opponent-about">
          In the next wave in which both are free, your bot plays the house bot you choose. The
          match is rated as usual.
        </p>
      )}
      {request !== null ? (
        <PendingRequest {...props} request={request} />
      ) : event.phase === "closed" ? (
        <p class="empty">The event is closed, so you can't request more games.</p>
      ) : (
        <RequestOptions {...props} />
      )}
      {lastRequest !== null && <LastRequest lastRequest={lastRequest} />}
    </Section>
  );
}

const PHASE_NOTES = { open: "One request at a time", closed: "The event is over" } as const;

const RESULT_TEXTS = { W: "won against", L: "lost to", D: "drew with" } as const;

function LastRequest({ lastRequest }: { lastRequest: NonNullable<EventProgress["last_request"]> }) {
  const { bot, opponent, result, started, match_id } = lastRequest;
  return (
    <p class="last-request">
      Your last requested game: <bdi>{bot}</bdi> {RESULT_TEXTS[result]} {houseBotName(opponent)},{" "}
      <TimeLabel instant={started} />. <a href={matchResultPath(match_id)}>Watch replay</a>
    </p>
  );
}

const opponentPath = (event: string): string => `/api/account/events/${event}/opponent`;

type OpponentRequest = NonNullable<EventProgress["request"]>;

function PendingRequest({
  progress,
  auth,
  setProgress,
  request,
}: RequestOpponentProps & { request: OpponentRequest }) {
  const [refusal, setRefusal] = useState("");
  const matchup = (
    <>
      <bdi>{request.bot}</bdi> against {houseBotName(request.opponent)}
    </>
  );
  if (request.state === "playing")
    return (
      <p class="request" role="status">
        {matchup} is running.{" "}
        {request.match_id !== null && <a href={liveMatchPath(request.match_id)}>Watch</a>}
      </p>
    );
  const cancelRequest = async () => {
    const response = await auth.sendRequest<EventProgress>(
      "DELETE",
      opponentPath(progress.event.id),
    );
    if ("refusal" in response) return setRefusal(response.refusal.text);
    auth.showStatusMessage("Request withdrawn.");
    setProgress(response.value);
  };
  const isUnavailable = progress.event.unavailable_opponents.includes(request.opponent);
  const waitText = isUnavailable
    ? `waiting until ${houseBotName(request.opponent)} is available again, or the event closes`
    : "waiting for a wave in which both are free";
  return (
    <div class="request">
      <p role="status">
        You've requested {matchup}. Status: {waitText}.
      </p>
      <button type="button" class="button quiet" onClick={() => void cancelRequest()}>
        Withdraw request
      </button>
      <p class="refusal" role="alert">
        {refusal}
      </p>
    </div>
  );
}

function RequestOptions(props: RequestOpponentProps) {
  const { progress, now } = props;
  const { event, bots, next_request_at: nextRequestAt } = progress;
  const isRateLimited = nextRequestAt !== null && Date.parse(nextRequestAt) > now;
  if (isRateLimited && Date.parse(nextRequestAt) >= Date.parse(event.closes_at))
    return <p class="empty">The event closes before you could make another request.</p>;
  const unavailableOpponents = event.unavailable_opponents;
  const availableOpponents = event.approved_opponents.filter(
    (kind) => !unavailableOpponents.includes(kind),
  );
  const readyBots = bots.filter(({ online, state }) => online && state !== "idle");
  return (
    <>
      {unavailableOpponents.length > 0 && (
        <p class="notice">
          {unavailableOpponents.map(houseBotName).join(", ")}: not available. The operator has to
          approve the current version.
        </p>
      )}
      {isRateLimited && (
        <p class="sub">
          <Countdown verb="You can make another request" instant={nextRequestAt} now={now} />
        </p>
      )}
      {readyBots.length === 0 ? (
        <p class="empty">
          None of your bots is waiting or playing on this ladder. Start one, and queue it there.
        </p>
      ) : (
        availableOpponents.length > 0 && (
          <RequestForm
            {...props}
            {...{ readyBots, availableOpponents }}
            isRateLimited={isRateLimited}
          />
        )
      )}
    </>
  );
}

type RequestFormProps = RequestOpponentProps & {
  readyBots: EventProgress["bots"];
  availableOpponents: readonly HouseKind[];
  isRateLimited: boolean;
};

function RequestForm({
  progress,
  auth,
  setProgress,
  readyBots,
  availableOpponents,
  isRateLimited,
}: RequestFormProps) {
  const [refusal, setRefusal] = useState("");
  const [isSending, setSending] = useState(false);
  const submit = async (form: HTMLFormElement) => {
    if (isSending || isRateLimited) return;
    const formData = new FormData(form);
    setSending(true);
    const body = { bot_id: formData.get("bot"), opponent: formData.get("opponent") };
    const path = opponentPath(progress.event.id);
    const response = await auth.sendRequest<EventProgress>("POST", path, body);
    setSending(false);
    setRefusal("refusal" in response ? response.refusal.text : "");
    if ("value" in response) setProgress(response.value);
  };
  return (
    <form
      class="form opponent-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
    >
      <LabelledSelect
        name="bot"
        label="Your bot"
        options={readyBots.map(({ id, name, state }) => [id, `${name} (${state})`])}
      />
      <LabelledSelect
        name="opponent"
        label="House bot"
        options={availableOpponents.map((kind) => [kind, houseBotName(kind)])}
      />
      <p class="form-send">
        <button class="button" type="submit" aria-disabled={isSending || isRateLimited}>
          {isSending ? "Working…" : "Request"}
        </button>
      </p>
      <p class="refusal" role="alert">
        {refusal}
      </p>
    </form>
  );
}

type LabelledSelectProps = {
  name: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
};

function LabelledSelect({ name, label, options }: LabelledSelectProps) {
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
