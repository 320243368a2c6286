// A letter as HTML: parts and one table each way, because mail readers know little more.

import type { ComponentChildren } from "preact";

import { DARK_SHEET, STYLES } from "./look.ts";
import type { LetterClass } from "./look.ts";
import type { LetterPart, Content } from "./words.ts";

/** The class is for dark colours. */
const look = (name: LetterClass) => ({ class: name, style: STYLES[name] });

const bare = { role: "presentation", cellPadding: "0", cellSpacing: "0" } as const;

export function LetterDocument({ subject, parts, foot, refusal }: Content) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{DARK_SHEET}</style>
      </head>
      <body {...look("page")}>
        <Frame>
          <div {...look("card")}>
            <h1 {...look("title")}>{subject}</h1>
            {parts.map((part) => (
              <PartView part={part} />
            ))}
          </div>
          <div {...look("foot")}>
            {foot.map((line) => (
              <div>{line}</div>
            ))}
            {refusal === undefined ? null : <Refusal {...refusal} />}
          </div>
        </Frame>
      </body>
    </html>
  );
}

/** A column in the middle, with the name of the sender above it. */
function Frame({ children }: { children: ComponentChildren }) {
  return (
    <table {...bare} {...look("outer")}>
      <tbody>
        <tr>
          <td style={{ padding: "28px 12px" }}>
            <div role="main" {...look("column")}>
              <div {...look("brand")}>
                <span aria-hidden="true" {...look("cornerA")}>
                  ◣
                </span>
                Bout
                <span aria-hidden="true" {...look("cornerB")}>
                  ◥
                </span>
              </div>
              {children}
            </div>
          </td>
        </tr>
      </tbody>
    </table>
  );
}

function PartView({ part }: { part: LetterPart }) {
  switch (part.kind) {
    case "words":
      return <p {...look("words")}>{part.text}</p>;
    case "step":
      return <Step {...part} />;
    case "digits":
      return <div {...look("digits")}>{part.text}</div>;
    case "facts":
      return <Facts {...part} />;
  }
}

/** The address is also there as text, for readers in which the button does nothing. */
function Step({ label, href }: Extract<LetterPart, { kind: "step" }>) {
  return (
    <div {...look("step")}>
      <div style={{ paddingBottom: "10px" }}>
        <a href={href} {...look("button")}>
          {label}
        </a>
      </div>
      <a href={href} {...look("link")}>
        {href}
      </a>
    </div>
  );
}

function Refusal({ label, href }: NonNullable<Content["refusal"]>) {
  return (
    <div>
      <div>{label}</div>
      <a href={href} {...look("link")}>
        {href}
      </a>
    </div>
  );
}

function Facts({ rows }: Extract<LetterPart, { kind: "facts" }>) {
  return (
    <table {...look("facts")}>
      <tbody>
        {rows.map(([name, value]) => (
          <tr>
            <th scope="row" {...look("name")}>
              {name}
            </th>
            <td {...look("value")}>
              <bdi>{value}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
