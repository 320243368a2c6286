import type { AchievementView } from "#core/api/event.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { botPath } from "#site/ui/links.ts";
import { Bar } from "#site/ui/section.tsx";
import { TimeLabel } from "#site/ui/time-label.tsx";

import { AchievementFlag } from "./achievement-flag.tsx";
import type { EventWithCounts } from "./data.ts";
import {
  describeAchievementCondition,
  describeAchievementProgress,
  describeEarnedCount,
} from "./event-texts.ts";

type AchievementListItemProps = {
  event: EventWithCounts;
  achievement: EventWithCounts["conditions"][number];
  earnedCount: number;
  /** The signed-in person's progress, or null while signed out. */
  card: AchievementView | null;
  auth: AuthContext | null;
};

export function AchievementListItem({
  event,
  achievement,
  earnedCount,
  card,
  auth,
}: AchievementListItemProps) {
  const { name, description, condition } = achievement;
  const isEarned = card !== null && card.earned_at !== null && card.revoked_at === null;
  return (
    <li class={isEarned ? "panel award earned" : "panel award"}>
      <div class="award-head">
        <AchievementSeal isEarned={isEarned} />
        <h3>
          <bdi>{name}</bdi>
        </h3>
      </div>
      <p>
        <bdi>{description}</bdi>
      </p>
      <p class="award-condition">{describeAchievementCondition(condition)}</p>
      <p class="sub">{describeEarnedCount(earnedCount)}</p>
      {card !== null && <OwnAchievement {...{ event, card, auth }} />}
    </li>
  );
}

/** A ring that fills once the achievement is earned. Decorative, because the text says the same. */
function AchievementSeal({ isEarned }: { isEarned: boolean }) {
  return (
    <svg class="seal" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <circle class={isEarned ? "seal-ring won" : "seal-ring"} cx="16" cy="16" r="13" />
      {isEarned && <path class="seal-tick" d="M9.5 16.5 L14 21 L22.5 11.5" />}
    </svg>
  );
}

type OwnAchievementProps = {
  event: EventWithCounts;
  card: AchievementView;
  auth: AuthContext | null;
};

function OwnAchievement({ event, card, auth }: OwnAchievementProps) {
  const { earned_at: earnedAt, revoked_at: revokedAt, reason, flag_available: hasFlag } = card;
  return (
    <div class="award-own">
      {earnedAt === null ? (
        <AchievementProgress card={card} ladder={event.ladder_id} />
      ) : (
        <p>
          <strong>{revokedAt === null ? "Earned" : "Earned, then revoked"}</strong>{" "}
          <TimeLabel instant={earnedAt} />
        </p>
      )}
      {revokedAt !== null && (
        <p class="notice bad">
          Revoked by the operator on <TimeLabel instant={revokedAt} />.{" "}
          {reason !== null && (
            <>
              Reason: <bdi>{reason}</bdi>
            </>
          )}
        </p>
      )}
      <EvidenceList evidence={card.evidence} isEarned={earnedAt !== null} />
      {earnedAt !== null &&
        revokedAt === null &&
        (hasFlag ? (
          auth !== null && <AchievementFlag {...{ auth, card }} event={event.id} />
        ) : (
          <p class="sub">The flag isn't available right now. You still keep the achievement.</p>
        ))}
    </div>
  );
}

/** Larger targets are not drawn as individual dots. */
const MAX_DOTS = 12;

function AchievementProgress({ card, ladder }: { card: AchievementView; ladder: string }) {
  const { current, target, bot } = card.progress;
  const text = describeAchievementProgress(card);
  return (
    <>
      {target <= MAX_DOTS ? (
        <ProgressDots {...{ current, target }} label={text} />
      ) : (
        <Bar value={current} max={target} label={text} tone="gold" />
      )}
      <p class="sub">
        {text}
        {bot !== null && (
          <>
            ,{" "}
            <a href={botPath(bot, { ladder: ladder === "public" ? undefined : ladder })}>
              <bdi>{bot}</bdi>
            </a>{" "}
            has the most progress
          </>
        )}
      </p>
    </>
  );
}

type ProgressDotsProps = { current: number; target: number; label: string };

function ProgressDots({ current, target, label }: ProgressDotsProps) {
  return (
    <svg
      class="dots"
      viewBox={`0 0 ${target * 16} 16`}
      width={target * 16}
      height={16}
      role="img"
      aria-label={label}
    >
      {Array.from({ length: target }, (_, index) => (
        <circle
          key={index}
          class={index < current ? "dot-of done" : "dot-of"}
          cx={index * 16 + 8}
          cy={8}
          r={5.5}
        />
      ))}
    </svg>
  );
}

type EvidenceListProps = Pick<AchievementView, "evidence"> & { isEarned: boolean };

function EvidenceList({ evidence, isEarned }: EvidenceListProps) {
  if (evidence.length === 0) return null;
  return (
    <details class="award-evidence">
      <summary>
        {evidence.length === 1 ? "The match that " : `${evidence.length} matches that `}
        {isEarned ? "counted" : evidence.length === 1 ? "counts so far" : "count so far"}
      </summary>
      <ol>
        {evidence.map(({ match_id, watch_url }, index) => (
          <li key={match_id}>
            <a href={watch_url}>
              {isEarned && index === evidence.length - 1 ? "Deciding match" : `Match ${index + 1}`}
            </a>
          </li>
        ))}
      </ol>
    </details>
  );
}
