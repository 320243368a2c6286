// Emails use inline styles and tables, because email clients support little else.

import type { ComponentChildren } from "preact";

import { DARK_STYLE_SHEET, EMAIL_STYLES } from "./email-styles.ts";
import type { EmailClass } from "./email-styles.ts";
import type { EmailPart, EmailContent } from "./transactional-content.ts";

/** The class is needed for dark mode. */
const styled = (name: EmailClass) => ({ class: name, style: EMAIL_STYLES[name] });

const layoutTableAttributes = { role: "presentation", cellPadding: "0", cellSpacing: "0" } as const;

export function EmailDocument({ subject, parts, footer, unsubscribeLink }: EmailContent) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{DARK_STYLE_SHEET}</style>
      </head>
      <body {...styled("page")}>
        <EmailFrameLayout>
          <div {...styled("card")}>
            <h1 {...styled("title")}>{subject}</h1>
            {parts.map((part) => (
              <EmailPartView part={part} />
            ))}
          </div>
          <div {...styled("foot")}>
            {footer.map((line) => (
              <div>{line}</div>
            ))}
            {unsubscribeLink === undefined ? null : <UnsubscribeLink {...unsubscribeLink} />}
          </div>
        </EmailFrameLayout>
      </body>
    </html>
  );
}

function EmailFrameLayout({ children }: { children: ComponentChildren }) {
  return (
    <table {...layoutTableAttributes} {...styled("outer")}>
      <tbody>
        <tr>
          <td style={{ padding: "28px 12px" }}>
            <div role="main" {...styled("column")}>
              <div {...styled("brand")}>
                <span aria-hidden="true" {...styled("cornerA")}>
                  ◣
                </span>
                Bout
                <span aria-hidden="true" {...styled("cornerB")}>
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

function EmailPartView({ part }: { part: EmailPart }) {
  switch (part.kind) {
    case "words":
      return <p {...styled("words")}>{part.text}</p>;
    case "step":
      return <EmailButton {...part} />;
    case "digits":
      return <div {...styled("digits")}>{part.text}</div>;
    case "facts":
      return <EmailFacts {...part} />;
  }
}

/** Repeats the URL as text, for email clients in which the button doesn't work. */
function EmailButton({ label, href }: Extract<EmailPart, { kind: "step" }>) {
  return (
    <div {...styled("step")}>
      <div style={{ paddingBottom: "10px" }}>
        <a href={href} {...styled("button")}>
          {label}
        </a>
      </div>
      <a href={href} {...styled("link")}>
        {href}
      </a>
    </div>
  );
}

function UnsubscribeLink({ label, href }: NonNullable<EmailContent["unsubscribeLink"]>) {
  return (
    <div>
      <div>{label}</div>
      <a href={href} {...styled("link")}>
        {href}
      </a>
    </div>
  );
}

function EmailFacts({ rows }: Extract<EmailPart, { kind: "facts" }>) {
  return (
    <table {...styled("facts")}>
      <tbody>
        {rows.map(([name, value]) => (
          <tr>
            <th scope="row" {...styled("name")}>
              {name}
            </th>
            <td {...styled("value")}>
              <bdi>{value}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
