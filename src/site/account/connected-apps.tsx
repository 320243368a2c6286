import type { Account } from "#core/api/account.ts";
import { toFormRefusal } from "#site/sign-in/account-api.ts";
import type { AuthContext } from "#site/sign-in/auth-context.ts";
import { CodeBlock } from "#site/ui/code-block.tsx";
import { ConfirmAction } from "#site/ui/confirm-action.tsx";
import { EmptyState } from "#site/ui/empty-state.tsx";
import { Section } from "#site/ui/section.tsx";

import { AccessRow } from "./access-row.tsx";

type ConnectedAppsProps = { auth: AuthContext; account: Account };

export function ConnectedApps({
  auth,
  account: { mcp_url: url, mcp_clients: apps },
}: ConnectedAppsProps) {
  return (
    <Section id="programs" title="Connected apps">
      {url === null ? (
        <p class="sub">This ladder has no MCP endpoint, so no app can connect.</p>
      ) : (
        <>
          <p class="sub">
            Apps that support MCP ask for your permission before they connect. Give the app this
            URL:
          </p>
          <CodeBlock text={url} label="the MCP endpoint URL" />
        </>
      )}
      {apps.length === 0 ? (
        <EmptyState subject="account's programs" />
      ) : (
        <ul class="holders">
          {apps.map(({ client_id: id, name, created, last_used: lastUsed }) => (
            <AccessRow key={id} {...{ name, created, lastUsed }}>
              <RevokeApp {...{ auth, id, name }} />
            </AccessRow>
          ))}
        </ul>
      )}
    </Section>
  );
}

type RevocationResult = { oauth_revoked: boolean };

function RevokeApp({ auth, id, name }: { auth: AuthContext; id: string; name: string }) {
  const revokeApp = async () => {
    const path = `/api/account/mcp/clients/${encodeURIComponent(id)}`;
    const response = await auth.sendRequest<RevocationResult>("DELETE", path);
    if ("refusal" in response) return toFormRefusal(response.refusal);
    auth.showStatusMessage(
      response.value.oauth_revoked
        ? `${name} no longer has access.`
        : `${name} no longer has access. The identity provider couldn't be reached; we'll retry.`,
    );
    await auth.reload();
    return null;
  };
  return (
    <ConfirmAction label="Revoke access…" confirmLabel="Revoke access" onConfirm={revokeApp}>
      <bdi>{name}</bdi> can no longer access your account until you authorize it again.
    </ConfirmAction>
  );
}
