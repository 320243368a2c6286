// The parts of the console, in their order.

import type { FunctionComponent } from "preact";

import { Announcements } from "#site/admin-announcements/announcements.tsx";
import { Analytics } from "#site/admin-figures/analytics.tsx";
import { Health } from "#site/admin-figures/health.tsx";
import { Events } from "#site/admin-ladders/events.tsx";
import { Ladders } from "#site/admin-ladders/ladders.tsx";
import { Mail } from "#site/admin-mail/mail.tsx";
import { Profiling } from "#site/admin-profiling/profiling.tsx";
import { Settings } from "#site/admin-settings/settings.tsx";
import { Usage } from "#site/admin-settings/usage.tsx";

import { Accounts } from "./accounts.tsx";
import { Audit } from "./audit.tsx";
import { Bots } from "./bots.tsx";
import { Overview } from "./overview.tsx";
import { Owners } from "./owners.tsx";
import type { PartProps } from "./part.ts";

export type ConsolePart = {
  id: string;
  title: string;
  view: FunctionComponent<PartProps>;
};

export const PARTS: readonly [ConsolePart, ...ConsolePart[]] = [
  { id: "overview", title: "Overview", view: Overview },
  { id: "health", title: "Health", view: Health },
  { id: "bots", title: "Bots", view: Bots },
  { id: "accounts", title: "Accounts", view: Accounts },
  { id: "owners", title: "Owners", view: Owners },
  { id: "ladders", title: "Ladders", view: Ladders },
  { id: "events", title: "Events", view: Events },
  { id: "announcements", title: "Announcements", view: Announcements },
  { id: "mail", title: "Mail", view: Mail },
  { id: "settings", title: "Settings", view: Settings },
  { id: "usage", title: "Usage", view: Usage },
  { id: "analytics", title: "Analytics", view: Analytics },
  { id: "profiling", title: "Profiling", view: Profiling },
  { id: "audit", title: "Audit", view: Audit },
];

/** The part of a name; the first one for a name that is not one of them. */
export const partOf = (id: string): ConsolePart => PARTS.find((one) => one.id === id) ?? PARTS[0];
