// What an operator sees first.

import { DAY_MS } from "#base/units/time.ts";
import { isConfiguredAdmin } from "#core/accounts/account.ts";
import { transactionalAttention } from "#core/operator/attention.ts";
import { OverviewSchema } from "#core/resources/admin.ts";
import type { Attention, Overview } from "#core/resources/admin.ts";
import { FIXED } from "#core/words/limits.ts";
import type { BotRecord } from "#data/store/bot.ts";
import { statusOf } from "#web/api/status.ts";
import { adminEmails, admitted } from "#web/auth/auth.ts";
import type { Caller } from "#web/auth/people.ts";
import type { ApiDeps, App } from "#web/http/deps.ts";
import { answers } from "#web/http/query.ts";
import { auditViews } from "#web/reports/audit-view.ts";

import { adminsOf } from "./admin-account.ts";
import { announcementViews } from "./announcement-view.ts";
import { credentials, operatorHooks } from "./operator.ts";

export function overviewRoutes(app: App, deps: ApiDeps): void {
  const schema = { response: answers(OverviewSchema) };
  const about = "The ladder at a glance";
  const config = { endpoint: "admin_overview", about, credentials };
  app.get("/api/admin/overview", { schema, config, ...operatorHooks(deps) }, ({ caller }) =>
    overview(deps, admitted(caller)),
  );
}

async function overview(deps: ApiDeps, { account }: Caller): Promise<Overview> {
  const { store, arena } = deps;
  const configured = isConfiguredAdmin(account, adminEmails(deps));
  const moderated = await store.bots.moderated(FIXED.moderated_shown);
  return {
    caller: { id: account.id, handle: account.handle, configured },
    admins: await adminsOf(deps),
    status: statusOf(arena),
    attention: await attention(deps),
    bots: moderated.flatMap(toModerated),
    announcements: await announcementViews(deps),
    audit: await auditViews(store, await store.audit.list({ limit: FIXED.audit_shown })),
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
    store.incidents.list(FIXED.mail_incidents),
    store.deliveries.counts(now.toISOString()),
    store.deliveries.notSentSince(dayAgo),
    store.deliveries.suppressed(1),
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

function toModerated(bot: BotRecord): Overview["bots"] {
  const { id, name, owner, status, statusReason: reason, created } = bot;
  if (status !== "suspended" && status !== "banned") return [];
  return [{ id, name, owner, status, reason, since: bot.statusSince ?? created }];
}
