// The audit as a table.

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

const textOf = ({ detail }: AuditView): string | null =>
  detail === null
    ? null
    : Object.entries(detail)
        .map(
          ([name, value]) =>
            `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
        )
        .join(", ");

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

/** The detail has an account's id alone; its page has its name. */
function Concerned({ detail }: AuditView) {
  const account: unknown = Object.entries(detail ?? {}).find(([name]) => name === "account")?.[1];
  if (typeof account !== "string") return null;
  return (
    <>
      {" "}
      <a href={consolePath("accounts", account)}>This account</a>
    </>
  );
}

export const AUDIT_COLUMNS = [
  { title: "When", of: ({ at }: AuditView) => at, kind: "instant" },
  { title: "What", of: ({ kind }: AuditView) => kind },
  {
    title: "Who",
    of: ({ actor }: AuditView) => words(actor),
    show: ({ actor }: AuditView) => <Linked of={actor} />,
  },
  {
    title: "About",
    of: ({ subject }: AuditView) => words(subject),
    show: ({ subject }: AuditView) => <Linked of={subject} />,
  },
  { title: "Reason", of: ({ reason }: AuditView) => reason },
  {
    title: "Detail",
    of: textOf,
    show: (entry: AuditView) => (
      <>
        <Detail text={textOf(entry)} />
        <Concerned {...entry} />
      </>
    ),
    kind: "long",
  },
] as const satisfies readonly TableColumn<AuditView>[];
