import { DAY_MS } from "#base/util/time.ts";
import { isConfiguredAdmin } from "#core/accounts/account.ts";
import { OverviewSchema } from "#core/api/admin.ts";
import type { Attention, AdminOverview } from "#core/api/admin.ts";
import { transactionalAttention } from "#core/api/attention.ts";
import { FIXED_LIMITS } from "#core/limits/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { fullStatus } from "#web/api/status.ts";
import type { Caller } from "#web/auth/account-lookup.ts";
import { adminEmails, assertAuthenticated } from "#web/auth/auth-hooks.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { okResponses } from "#web/http/route-params.ts";
import { auditViews } from "#web/reports/audit-view.ts";

import { adminsOf } from "./admin-account.ts";
import { credentials, operatorHooks } from "./admin-route.ts";
import { announcementViews } from "./announcement-view.ts";

export function overviewRoutes(app: App, deps: ApiDeps): void {
  const schema = { response: okResponses(OverviewSchema) };
  const summary = "Overview of the server";
  const config = { endpoint: "admin_overview", summary, credentials };
  app.get("/api/admin/overview", { schema, config, ...operatorHooks(deps) }, ({ caller }) =>
    overview(deps, assertAuthenticated(caller)),
  );
}

async function overview(deps: ApiDeps, { account }: Caller): Promise<AdminOverview> {
  const { store, arena } = deps;
  const configured = isConfiguredAdmin(account, adminEmails(deps));
  const moderatedBots = await store.bots.listModerated(FIXED_LIMITS.moderated_shown);
  return {
    caller: { id: account.id, handle: account.handle, configured },
    admins: await adminsOf(deps),
    status: fullStatus(arena),
    attention: await attention(deps),
    bots: moderatedBots.flatMap(toModerated),
    announcements: await announcementViews(deps),
    audit: await auditViews(store, await store.audit.list({ limit: FIXED_LIMITS.audit_shown })),
  };
}

async function attention({
  store,
  ladders,
  clock,
  freeDisk,
  accounts,
}: ApiDeps): Promise<Attention> {
  const now = clock();
  const dayAgo = new Date(now.getTime() - DAY_MS).toISOString();
  const [incidents, counts, notSent, suppressed, members] = await Promise.all([
    store.incidents.list(FIXED_LIMITS.mail_incidents),
    store.deliveries.counts(now.toISOString()),
    store.deliveries.notSentSince(dayAgo),
    store.deliveries.listSuppressed(1),
    store.members.counts(),
  ]);
  return {
    mail_incidents: incidents.filter(({ resolved }) => resolved === null).length,
    emails_not_sent: notSent,
    ...transactionalAttention(accounts?.mail.transactional() ?? null, dayAgo),
    emails_waiting: counts.pending,
    suppressed_accounts: suppressed.total,
    approvals: members.flatMap(({ ladderId, state, accounts }) =>
      state === "pending" && accounts > 0
        ? [
            {
              ladder_id: ladderId,
              name: ladders.byId(ladderId)?.name ?? ladderId,
              pending: accounts,
            },
          ]
        : [],
    ),
    disk_free_bytes: freeDisk(),
  };
}

function toModerated(bot: BotRecord): AdminOverview["bots"] {
  const { id, name, owner, status, statusReason: reason, created } = bot;
  if (status !== "suspended" && status !== "banned") return [];
  return [{ id, name, owner, status, reason, since: bot.statusSince ?? created }];
}
