import { useState } from "preact/hooks";

import type { EmailPreview } from "#core/operator/email.ts";
import { Chooser } from "#site/admin/finder.tsx";
import type { PartProps } from "#site/admin/part.ts";
import { useRead } from "#site/admin/read.ts";
import { Readable } from "#site/admin/readable.tsx";
import { Section } from "#site/look/parts.tsx";

import { Letter } from "./letter.tsx";

const KINDS: Readonly<Record<EmailPreview["kind"], string>> = {
  welcome: "Welcome",
  achievement: "An achievement",
  admin: "A warning for operators",
};
const CHOICES = Object.entries(KINDS).map(([value, words]) => ({ value, words }));

/** What letters look like. Nothing is sent. */
export function Samples({ desk }: Pick<PartProps, "desk">) {
  const [kind, setKind] = useState("welcome");
  const path = `/api/admin/emails/preview?${new URLSearchParams({ kind }).toString()}`;
  const read = useRead<EmailPreview>(desk, path);
  return (
    <Section
      id="mail-samples"
      title="What letters look like"
      note="Samples about nobody; nothing is sent. Those of an announcement are with its draft."
    >
      <Chooser label="Letter" choices={CHOICES} chosen={kind} onChoose={setKind} />
      <Readable read={read}>{(letter) => <Letter key={letter.kind} {...letter} />}</Readable>
    </Section>
  );
}
