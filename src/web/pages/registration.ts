import type { ApiIndex } from "#core/resources/api.ts";
import type { Registration } from "#site/events/data.ts";

import type { PageSources } from "./page-data.ts";

/** What it takes to register a bot. */
export function registrationOf(
  { onboarding, authentication_required }: ApiIndex,
  { registrationKeyHash }: PageSources["settings"],
): Registration {
  if (onboarding.register === null) return "closed";
  if (authentication_required) return "account";
  return registrationKeyHash === null ? "open" : "key";
}
