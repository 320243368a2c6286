import type { ComponentChildren } from "preact";

import { TimeLabel } from "#site/ui/time-label.tsx";

type AccessRowProps = {
  name: string;
  /** RFC 3339 timestamps. */
  created: string;
  lastUsed: string | null;
  children: ComponentChildren;
};

export function AccessRow({ name, created, lastUsed, children }: AccessRowProps) {
  return (
    <li class="holder">
      <div class="holder-words">
        <bdi class="holder-name">{name}</bdi>
        <span class="sub">
          created <TimeLabel instant={created} precision="day" />,{" "}
          {lastUsed === null ? (
            "never used"
          ) : (
            <>
              last used <TimeLabel instant={lastUsed} />
            </>
          )}
        </span>
      </div>
      {children}
    </li>
  );
}
