import type { AvatarSubject } from "#site/avatars/avatar-picture.ts";
import { Avatar } from "#site/avatars/avatar.tsx";

import { botPath } from "./links.ts";
import type { StandingsScope } from "./links.ts";

type BotNameProps = AvatarSubject & {
  displayName: string;
  online?: boolean | undefined;
  scope?: StandingsScope | undefined;
  size?: number | undefined;
};

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
