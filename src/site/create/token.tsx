import { useEffect, useRef } from "preact/hooks";

import type { RegisteredBot } from "#core/resources/bot.ts";
import { botPath } from "#site/look/links.ts";

import { Code } from "./code.tsx";

type TokenProps = {
  bot: RegisteredBot;
  /** A program has connected with it, so leaving the page loses nothing. */
  isKept: boolean;
};

/** Shows the token this once. */
export function Token({ bot, isKept }: TokenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    if (isKept) return undefined;
    const warn = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isKept]);
  return (
    <div class="token">
      <h3 ref={heading} tabIndex={-1}>
        <a href={botPath(bot.name)}>{bot.name}</a> is registered. This is its token:
      </h3>
      <Code text={bot.token} label="the token" />
      <p class="notice">
        It is shown this once, and nobody can look it up again. Whoever has it plays as your bot:
        keep it like a password. This page has it in memory alone and stores it nowhere; with a
        reload it is gone.
      </p>
    </div>
  );
}
