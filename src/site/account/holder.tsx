import type { ComponentChildren } from "preact";

import { When } from "#site/look/when.tsx";

type HolderProps = {
  name: string;
  /** Instants. */
  created: string;
  used: string | null;
  /** What may be done about it. */
  children: ComponentChildren;
};

/** A key or program that may act for the account. */
export function Holder({ name, created, used, children }: HolderProps) {
  return (
    <li class="holder">
      <div class="holder-words">
        <bdi class="holder-name">{name}</bdi>
        <span class="sub">
          since <When instant={created} form="day" />,{" "}
          {used === null ? (
            "never used"
          ) : (
            <>
              last used <When instant={used} />
            </>
          )}
        </span>
      </div>
      {children}
    </li>
  );
}
