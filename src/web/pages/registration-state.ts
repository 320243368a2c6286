import type { ApiIndex } from "#core/api/api-index.ts";
import type { RegistrationMode } from "#site/events/data.ts";

import type { PageSources } from "./page-data.ts";

export function registrationState(
  { onboarding, authentication_required }: ApiIndex,
  { registrationKeyHash }: PageSources["settings"],
): RegistrationMode {
  if (onboarding.register === null) return "closed";
  if (authentication_required) return "account";
  return registrationKeyHash === null ? "open" : "key";
}
