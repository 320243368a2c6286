import { Avatar } from "./avatar.tsx";
import type { Face } from "./avatar.tsx";
import { botPath } from "./links.ts";
import type { Scope } from "./links.ts";

type BotNameProps = Face & { display: string; online?: boolean; scope?: Scope };

/** A bot by picture and name, with a link to its page. */
export function BotName({ display, online, scope, ...face }: BotNameProps) {
  return (
    <span class="bot">
      <Avatar {...face} />
      <a class="bot-name" href={botPath(face.name, scope)}>
        {display}
      </a>
      {online === true && (
        <span class="dot" title="Connected now">
          <span class="visually-hidden">connected now</span>
        </span>
      )}
    </span>
  );
}
