import { handleSuggestions, isAdmin } from "#core/accounts/account.ts";
import type { Account, AccountBot } from "#core/api/account.ts";
import type { AccountRecord } from "#data/store/account.ts";
import type { BotRecord } from "#data/store/bot.ts";
import type { MeDeps } from "#web/api/me.ts";
import { myBot } from "#web/api/me.ts";
import type { BrowserSession } from "#web/auth/account-lookup.ts";
import { adminEmails } from "#web/auth/auth-hooks.ts";
import type { ApiDeps } from "#web/http/deps.ts";

/** Returns the account resource. Re-reads everything, because the account may have just changed. */
export async function accountView(
  deps: MeDeps,
  account: AccountRecord,
  { user }: BrowserSession,
): Promise<Account> {
  const { store, settings } = deps;
  const { id, email, handle, created, mail } = account;
  const bots = await store.bots.listByOwners([id]);
  const keys = await store.keys.list(id);
  const connectedApps = await store.apps.list(id);
  return {
    id,
    email,
    ...accountStanding(deps, account, bots),
    suggested_handle: handle === null ? await suggestedHandle(deps, email, user.userName) : null,
    created,
    email_announcements: mail.announcements,
    email_preferences: { ...mail.preferences },
    bots: await accountBots(deps, bots),
    keys: keys.map(({ id, label, created, lastUsed }) => {
      return { id, label, created, last_used: lastUsed };
    }),
    mcp_url: settings.mcpEndpoint,
    mcp_clients: connectedApps.map(({ clientId, name, created, lastUsed }) => {
      return { client_id: clientId, name, created, last_used: lastUsed };
    }),
  };
}

export function accountStanding(
  deps: Pick<ApiDeps, "accounts" | "limits">,
  account: AccountRecord,
  bots: readonly BotRecord[],
) {
  return {
    admin: isAdmin(account, adminEmails(deps)),
    handle: account.handle,
    max_bots: account.maxBots ?? deps.limits().bots_per_owner,
    bot_count: bots.filter(countsTowardLimit).length,
  };
}

export const countsTowardLimit = ({ status }: BotRecord): boolean => status !== "retired";

async function suggestedHandle(
  { store, clock }: ApiDeps,
  email: string | null,
  userName: string | null,
): Promise<string | null> {
  const candidates = handleSuggestions({ email, userName });
  const takenHandles = await store.accounts.takenHandles(candidates, clock().toISOString());
  return candidates.find((handle) => !takenHandles.includes(handle)) ?? null;
}

export async function accountBots(deps: MeDeps, bots: readonly BotRecord[]): Promise<AccountBot[]> {
  const playedBotIds = new Set(await deps.store.bots.filterPlayed(bots.map(({ id }) => id)));
  const views: AccountBot[] = [];
  for (const bot of bots) {
    const { status, statusReason: status_reason } = bot;
    const moderation = { status, status_reason, played: playedBotIds.has(bot.id) };
    views.push({ ...(await myBot(deps, bot)), ...moderation });
  }
  return views;
}
