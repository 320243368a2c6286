import type { AvatarSubject } from "#site/avatars/avatar-picture.ts";
import { Avatar } from "#site/avatars/avatar.tsx";

import { botPath } from "./links.ts";
import type { StandingsScope } from "./links.ts";

type BotNameProps = AvatarSubject & {
  /** Display name. */
  displayName: string;
  online?: boolean | undefined;
  /** Standings the link leads to. */
  scope?: StandingsScope | undefined;
  /** Size of the avatar in pixels. */
  size?: number | undefined;
};

/** A bot's avatar and name, linked to its page. */
export function BotName({ displayName, online, scope, ...avatarProps }: BotNameProps) {
  return (
    <span class="bot">
      <Avatar {...avatarProps} />
      <a class="bot-name" href={botPath(avatarProps.name, scope)}>
        <bdi>{displayName}</bdi>
      </a>
      {online === true && (
        <span class="dot" title="Online now">
          <span class="visually-hidden">online now</span>
        </span>
      )}
    </span>
  );
}
