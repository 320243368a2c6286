import type { Face } from "#site/avatars/avatar-picture.ts";
import { Avatar } from "#site/avatars/avatar.tsx";

import { botPath } from "./links.ts";
import type { Scope } from "./links.ts";

type BotNameProps = Face & {
  /** The name for people. */
  display: string;
  online?: boolean | undefined;
  /** The standings that the link leads to. */
  scope?: Scope | undefined;
  /** Pixels of the picture. */
  size?: number | undefined;
};

/** A bot by picture and name, with a link to its page. */
export function BotName({ display, online, scope, ...face }: BotNameProps) {
  return (
    <span class="bot">
      <Avatar {...face} />
      <a class="bot-name" href={botPath(face.name, scope)}>
        <bdi>{display}</bdi>
      </a>
      {online === true && (
        <span class="dot" title="Connected now">
          <span class="visually-hidden">connected now</span>
        </span>
      )}
    </span>
  );
}
