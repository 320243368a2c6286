import type { Card } from "#core/resources/event.ts";
import { botPath } from "#site/look/links.ts";
import { Bar } from "#site/look/parts.tsx";
import { When } from "#site/look/when.tsx";
import type { Desk } from "#site/sign-in/desk.ts";

import type { TalliedEvent } from "./data.ts";
import { Flag } from "./flag.tsx";
import { conditionWords, progressWords, tallyWords } from "./words.ts";

type AchievementProps = {
  event: TalliedEvent;
  achievement: TalliedEvent["conditions"][number];
  earned: number;
  /** Of the person who is signed in; null of nobody. */
  card: Card | null;
  desk: Desk | null;
};

/** One of the five: what earns it, how many have, and how far the reader's bots are. */
export function Achievement({ event, achievement, earned, card, desk }: AchievementProps) {
  const { name, description, condition } = achievement;
  const has = card !== null && card.earned_at !== null && card.revoked_at === null;
  return (
    <li class={has ? "panel award earned" : "panel award"}>
      <div class="award-head">
        <Seal isEarned={has} />
        <h3>
          <bdi>{name}</bdi>
        </h3>
      </div>
      <p>
        <bdi>{description}</bdi>
      </p>
      <p class="award-condition">{conditionWords(condition)}</p>
      <p class="sub">{tallyWords(earned)}</p>
      {card !== null && <Own {...{ event, card, desk }} />}
    </li>
  );
}

/** A ring that is filled once it is earned. Words say the same. */
function Seal({ isEarned }: { isEarned: boolean }) {
  return (
    <svg class="seal" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <circle class={isEarned ? "seal-ring won" : "seal-ring"} cx="16" cy="16" r="13" />
      {isEarned && <path class="seal-tick" d="M9.5 16.5 L14 21 L22.5 11.5" />}
    </svg>
  );
}

type OwnProps = { event: TalliedEvent; card: Card; desk: Desk | null };

function Own({ event, card, desk }: OwnProps) {
  const { earned_at: earned, revoked_at: revoked, reason, flag_available: hasFlag } = card;
  return (
    <div class="award-own">
      {earned === null ? (
        <Way card={card} ladder={event.ladder_id} />
      ) : (
        <p>
          <strong>{revoked === null ? "Earned" : "Earned, then taken back"}</strong>{" "}
          <When instant={earned} />
        </p>
      )}
      {revoked !== null && (
        <p class="notice bad">
          The operator has taken it back on <When instant={revoked} />.{" "}
          {reason !== null && (
            <>
              The reason: <bdi>{reason}</bdi>
            </>
          )}
        </p>
      )}
      <Evidence evidence={card.evidence} isEarned={earned !== null} />
      {earned !== null &&
        revoked === null &&
        (hasFlag ? (
          desk !== null && <Flag {...{ desk, card }} event={event.id} />
        ) : (
          <p class="sub">
            Its flag is not to be had at present. The achievement is yours all the same.
          </p>
        ))}
    </div>
  );
}

/** Up to this many are drawn one by one. */
const MOST_DOTS = 12;

function Way({ card, ladder }: { card: Card; ladder: string }) {
  const { current, target, bot } = card.progress;
  const words = progressWords(card);
  return (
    <>
      {target <= MOST_DOTS ? (
        <Dots {...{ current, target }} label={words} />
      ) : (
        <Bar value={current} max={target} label={words} tone="gold" />
      )}
      <p class="sub">
        {words}
        {bot !== null && (
          <>
            ,{" "}
            <a href={botPath(bot, { ladder: ladder === "public" ? undefined : ladder })}>
              <bdi>{bot}</bdi>
            </a>{" "}
            is furthest
          </>
        )}
      </p>
    </>
  );
}

type DotsProps = { current: number; target: number; label: string };

/** Counts that eyes take in at once. */
function Dots({ current, target, label }: DotsProps) {
  return (
    <svg
      class="dots"
      viewBox={`0 0 ${target * 16} 16`}
      width={target * 16}
      height={16}
      role="img"
      aria-label={label}
    >
      {Array.from({ length: target }, (_, at) => (
        <circle
          key={at}
          class={at < current ? "dot-of done" : "dot-of"}
          cx={at * 16 + 8}
          cy={8}
          r={5.5}
        />
      ))}
    </svg>
  );
}

type EvidenceProps = Pick<Card, "evidence"> & { isEarned: boolean };

/** The bouts that earned it, or that count so far. */
function Evidence({ evidence, isEarned }: EvidenceProps) {
  if (evidence.length === 0) return null;
  return (
    <details class="award-evidence">
      <summary>
        {evidence.length === 1 ? "The bout that " : `${evidence.length} bouts that `}
        {isEarned ? "counted" : evidence.length === 1 ? "counts so far" : "count so far"}
      </summary>
      <ol>
        {evidence.map(({ match_id, watch_url }, at) => (
          <li key={match_id}>
            <a href={watch_url}>
              {isEarned && at === evidence.length - 1 ? "The deciding bout" : `Bout ${at + 1}`}
            </a>
          </li>
        ))}
      </ol>
    </details>
  );
}
