import { useState } from "preact/hooks";

import type { EmailPreview } from "#core/api/admin-emails.ts";
import type { AdminPanelProps } from "#site/admin/admin-panel-props.ts";
import { ResourceView } from "#site/admin/resource-view.tsx";
import { SelectFilter } from "#site/admin/search-form.tsx";
import { useResource } from "#site/admin/use-resource.ts";
import { Section } from "#site/ui/section.tsx";

import { EmailView } from "./email-view.tsx";

const SAMPLE_TITLES: Readonly<Record<EmailPreview["kind"], string>> = {
  welcome: "Welcome",
  achievement: "Achievement",
  admin: "Operator warning",
};
const SAMPLE_OPTIONS = Object.entries(SAMPLE_TITLES).map(([value, text]) => ({ value, text }));

/** Previews sample emails without sending them. */
export function EmailSamples({ auth }: Pick<AdminPanelProps, "auth">) {
  const [kind, setKind] = useState("welcome");
  const path = `/api/admin/emails/preview?${new URLSearchParams({ kind }).toString()}`;
  const resource = useResource<EmailPreview>(auth, path);
  return (
    <Section
      id="mail-samples"
      title="Samples"
      note="Samples with made-up data; nothing is sent. Announcements have a preview in their draft."
    >
      <SelectFilter
        label="Email"
        options={SAMPLE_OPTIONS}
        selectedValue={kind}
        onSelect={setKind}
      />
      <ResourceView resource={resource}>
        {(email) => <EmailView key={email.kind} {...email} />}
      </ResourceView>
    </Section>
  );
}
