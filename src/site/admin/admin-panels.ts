import type { FunctionComponent } from "preact";

import { AnnouncementsPanel } from "#site/admin-announcements/announcements.tsx";
import { EventsPanel } from "#site/admin-ladders/events.tsx";
import { LaddersPanel } from "#site/admin-ladders/ladders.tsx";
import { MailPanel } from "#site/admin-mail/mail.tsx";
import { AnalyticsPanel } from "#site/admin-metrics/analytics.tsx";
import { HealthPanel } from "#site/admin-metrics/health.tsx";
import { ProfilingPanel } from "#site/admin-profiling/profiling.tsx";
import { SettingsPanel } from "#site/admin-settings/settings.tsx";
import { UsagePanel } from "#site/admin-settings/usage.tsx";

import { AccountsPanel } from "./accounts.tsx";
import type { AdminPanelProps } from "./admin-panel-props.ts";
import { AuditPanel } from "./audit.tsx";
import { BotsPanel } from "./bots.tsx";
import { OverviewPanel } from "./overview.tsx";
import { OwnersPanel } from "./owners.tsx";

export type AdminPanel = {
  id: string;
  title: string;
  view: FunctionComponent<AdminPanelProps>;
};

export const ADMIN_PANELS: readonly [AdminPanel, ...AdminPanel[]] = [
  { id: "overview", title: "Overview", view: OverviewPanel },
  { id: "health", title: "Health", view: HealthPanel },
  { id: "bots", title: "Bots", view: BotsPanel },
  { id: "accounts", title: "Accounts", view: AccountsPanel },
  { id: "owners", title: "Owners", view: OwnersPanel },
  { id: "ladders", title: "Ladders", view: LaddersPanel },
  { id: "events", title: "Events", view: EventsPanel },
  { id: "announcements", title: "Announcements", view: AnnouncementsPanel },
  { id: "mail", title: "Mail", view: MailPanel },
  { id: "settings", title: "Settings", view: SettingsPanel },
  { id: "usage", title: "Usage", view: UsagePanel },
  { id: "analytics", title: "Analytics", view: AnalyticsPanel },
  { id: "profiling", title: "Profiling", view: ProfilingPanel },
  { id: "audit", title: "Audit", view: AuditPanel },
];

/** Returns the part with this ID, or the first part if the ID is unknown. */
export const adminPanelFor = (id: string): AdminPanel =>
  ADMIN_PANELS.find((panel) => panel.id === id) ?? ADMIN_PANELS[0];
