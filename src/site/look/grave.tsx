import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import type { FormRefusal } from "./form.tsx";

type GraveProps = {
  /** On the button that asks, and on the one that does it. */
  ask: string;
  yes: string;
  /** What happens then, in words. */
  children: ComponentChildren;
  /** Null if it went well. */
  act: () => Promise<FormRefusal | null>;
};

/** Something that cannot be undone: asked for by one button, done by another. */
export function Grave({ ask, yes, children, act }: GraveProps) {
  const [isAsked, setAsked] = useState(false);
  const [isActing, setActing] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [opener, first] = [useRef<HTMLButtonElement>(null), useRef<HTMLButtonElement>(null)];
  const wasAsked = useRef(false);
  useEffect(() => {
    if (isAsked) first.current?.focus();
    else if (wasAsked.current) opener.current?.focus();
    wasAsked.current = isAsked;
  }, [isAsked]);
  const doIt = async () => {
    if (isActing) return;
    setActing(true);
    const refused = await act();
    setActing(false);
    setRefusal(refused?.text ?? null);
    if (refused === null) setAsked(false);
  };
  if (!isAsked)
    return (
      <button ref={opener} type="button" class="button quiet" onClick={() => setAsked(true)}>
        {ask}
      </button>
    );
  return (
    <div class="grave" role="group" aria-label={ask}>
      <p>{children}</p>
      <p class="actions">
        <button ref={first} type="button" class="button quiet" onClick={() => setAsked(false)}>
          Leave it as it is
        </button>
        <button
          type="button"
          class="button grave-yes"
          aria-disabled={isActing}
          onClick={() => void doIt()}
        >
          {yes}
        </button>
      </p>
      <p class="refusal" role="alert">
        {refusal}
      </p>
    </div>
  );
}
