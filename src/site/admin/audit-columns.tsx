// The audit as a table.

import { actorText, changeText, personText } from "#core/operator/audit-text.ts";
import type { AuditView } from "#core/resources/account.ts";
import { botPath } from "#site/look/links.ts";

import { consolePath } from "./place.ts";
import type { TableColumn } from "./table.tsx";

type Named = { kind: string; id: string | null; name: string | null };

/** Enough of an id to tell it from others; they begin alike. */
const ID_SHOWN = 8;
const nameOf = ({ id, name }: Named): string =>
  name ?? (id !== null && id.length > ID_SHOWN ? `…${id.slice(-ID_SHOWN)}` : (id ?? ""));

/** Who did it, or what it was about. */
const words = (one: Named | null): string =>
  one === null ? "–" : `${one.kind.replace("_", " ")} ${nameOf(one)}`.trim();

const PARTS: Readonly<Record<string, string>> = {
  account: "accounts",
  ladder: "ladders",
  event: "events",
};

function pathOf({ kind, id, name }: Named): string | null {
  if (kind === "bot") return name === null ? null : botPath(name);
  const part = PARTS[kind];
  return part === undefined || id === null ? null : consolePath(part, id);
}

function Linked({ of }: { of: Named | null }) {
  const path = of === null ? null : pathOf(of);
  if (of === null || path === null) return <bdi>{words(of)}</bdi>;
  return (
    <>
      {of.kind.replace("_", " ")}{" "}
      <a href={path}>
        <bdi>{nameOf(of)}</bdi>
      </a>
    </>
  );
}

/** More than this is folded. */
const DETAIL_SHOWN = 90;

function Detail({ text }: { text: string | null }) {
  if (text === null) return <>–</>;
  if (text.length <= DETAIL_SHOWN) return <bdi>{text}</bdi>;
  return (
    <details>
      <summary>
        <bdi>{text.slice(0, DETAIL_SHOWN)}…</bdi>
      </summary>
      <bdi>{text.slice(DETAIL_SHOWN)}</bdi>
    </details>
  );
}

/** An account by its handle, else by the end of its id. */
function Account({ id, handle }: { id: string; handle: string | null }) {
  return (
    <a href={consolePath("accounts", id)}>
      <bdi>{nameOf({ kind: "account", id, name: handle })}</bdi>
    </a>
  );
}

function Who({ actor }: AuditView) {
  const { account, kind, name } = actor;
  if (account === null) return <Linked of={actor} />;
  return (
    <>
      <Account {...account} />
      {kind === "agent_key" && <bdi> (agent key {name})</bdi>}
    </>
  );
}

export const AUDIT_COLUMNS = [
  { title: "When", of: ({ at }: AuditView) => at, kind: "instant" },
  { title: "What", of: ({ kind }: AuditView) => kind },
  {
    title: "Who",
    of: ({ actor }: AuditView) => actorText(actor),
    show: (entry: AuditView) => <Who {...entry} />,
  },
  {
    title: "About",
    of: ({ subject }: AuditView) => words(subject),
    show: ({ subject }: AuditView) => <Linked of={subject} />,
  },
  {
    title: "Person",
    of: personText,
    show: ({ person }: AuditView) => (person === null ? "–" : <Account {...person} />),
  },
  {
    title: "Change",
    of: changeText,
    show: (entry: AuditView) => <Detail text={changeText(entry)} />,
    kind: "long",
  },
  { title: "Reason", of: ({ reason }: AuditView) => reason },
] as const satisfies readonly TableColumn<AuditView>[];
