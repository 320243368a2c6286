import type { AuditView } from "#core/api/account.ts";
import { auditActorText, auditChangeText, auditPersonText } from "#core/api/audit-text.ts";
import { botPath } from "#site/ui/links.ts";

import type { TableColumn } from "./admin-table.tsx";
import { adminPath } from "./console-location.ts";

type AuditReference = { kind: string; id: string | null; name: string | null };

/** Number of trailing ID characters to show, because IDs often start alike. */
const SHOWN_ID_LENGTH = 8;
const referenceName = ({ id, name }: AuditReference): string =>
  name ??
  (id !== null && id.length > SHOWN_ID_LENGTH ? `…${id.slice(-SHOWN_ID_LENGTH)}` : (id ?? ""));

const referenceText = (reference: AuditReference | null): string =>
  reference === null
    ? "–"
    : `${reference.kind.replace("_", " ")} ${referenceName(reference)}`.trim();

const PART_BY_KIND: Readonly<Record<string, string>> = {
  account: "accounts",
  ladder: "ladders",
  event: "events",
};

function referencePath({ kind, id, name }: AuditReference): string | null {
  if (kind === "bot") return name === null ? null : botPath(name);
  const part = PART_BY_KIND[kind];
  return part === undefined || id === null ? null : adminPath(part, id);
}

function ReferenceLink({ reference }: { reference: AuditReference | null }) {
  const path = reference === null ? null : referencePath(reference);
  if (reference === null || path === null) return <bdi>{referenceText(reference)}</bdi>;
  return (
    <>
      {reference.kind.replace("_", " ")}{" "}
      <a href={path}>
        <bdi>{referenceName(reference)}</bdi>
      </a>
    </>
  );
}

const SHOWN_DETAIL_LENGTH = 90;

function AuditDetail({ text }: { text: string | null }) {
  if (text === null) return <>–</>;
  if (text.length <= SHOWN_DETAIL_LENGTH) return <bdi>{text}</bdi>;
  return (
    <details>
      <summary>
        <bdi>{text.slice(0, SHOWN_DETAIL_LENGTH)}…</bdi>
      </summary>
      <bdi>{text.slice(SHOWN_DETAIL_LENGTH)}</bdi>
    </details>
  );
}

/** Links an account by its handle, or by the end of its ID if it has no handle. */
function AccountLink({ id, handle }: { id: string; handle: string | null }) {
  return (
    <a href={adminPath("accounts", id)}>
      <bdi>{referenceName({ kind: "account", id, name: handle })}</bdi>
    </a>
  );
}

function AuditActor({ actor }: AuditView) {
  const { account, kind, name } = actor;
  if (account === null) return <ReferenceLink reference={actor} />;
  return (
    <>
      <AccountLink {...account} />
      {kind === "agent_key" && <bdi> (agent key {name})</bdi>}
    </>
  );
}

export const AUDIT_COLUMNS = [
  { title: "When", accessor: ({ at }: AuditView) => at, kind: "instant" },
  { title: "Action", accessor: ({ kind }: AuditView) => kind },
  {
    title: "Who",
    accessor: ({ actor }: AuditView) => auditActorText(actor),
    render: (entry: AuditView) => <AuditActor {...entry} />,
  },
  {
    title: "Subject",
    accessor: ({ subject }: AuditView) => referenceText(subject),
    render: ({ subject }: AuditView) => <ReferenceLink reference={subject} />,
  },
  {
    title: "Person",
    accessor: auditPersonText,
    render: ({ person }: AuditView) => (person === null ? "–" : <AccountLink {...person} />),
  },
  {
    title: "Change",
    accessor: auditChangeText,
    render: (entry: AuditView) => <AuditDetail text={auditChangeText(entry)} />,
    kind: "long",
  },
  { title: "Reason", accessor: ({ reason }: AuditView) => reason },
] as const satisfies readonly TableColumn<AuditView>[];
