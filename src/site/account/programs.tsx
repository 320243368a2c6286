import type { Account } from "#core/resources/account.ts";
import { Code } from "#site/look/code.tsx";
import { Empty } from "#site/look/empty.tsx";
import { Grave } from "#site/look/grave.tsx";
import { Section } from "#site/look/parts.tsx";
import type { Desk } from "#site/sign-in/desk.ts";
import { inForm } from "#site/sign-in/ladder.ts";

import { Holder } from "./holder.tsx";

type ProgramsProps = { desk: Desk; account: Account };

/** Programs that were let in at the MCP endpoint. */
export function Programs({ desk, account: { mcp_url: url, mcp_clients: clients } }: ProgramsProps) {
  return (
    <Section id="programs" title="Programs">
      {url === null ? (
        <p class="sub">This ladder has no MCP endpoint, so programs ask for nothing here.</p>
      ) : (
        <>
          <p class="sub">
            A program that speaks MCP asks you before it acts for you. Give it this address:
          </p>
          <Code text={url} label="the address of the MCP endpoint" />
        </>
      )}
      {clients.length === 0 ? (
        <Empty of="account's programs" />
      ) : (
        <ul class="holders">
          {clients.map(({ client_id: id, name, created, last_used: used }) => (
            <Holder key={id} {...{ name, created, used }}>
              <Revoke {...{ desk, id, name }} />
            </Holder>
          ))}
        </ul>
      )}
    </Section>
  );
}

type Revoked = { oauth_revoked: boolean };

function Revoke({ desk, id, name }: { desk: Desk; id: string; name: string }) {
  const act = async () => {
    const path = `/api/account/mcp/clients/${encodeURIComponent(id)}`;
    const answer = await desk.ask<Revoked>("DELETE", path);
    if ("refusal" in answer) return inForm(answer.refusal);
    desk.say(
      answer.value.oauth_revoked
        ? `${name} is out.`
        : `${name} is out here. The identity provider could not be told; it will be.`,
    );
    await desk.reload();
    return null;
  };
  return (
    <Grave ask="Take back…" yes="Take it back" act={act}>
      <bdi>{name}</bdi> can do nothing in your name any more, until you let it in again.
    </Grave>
  );
}
