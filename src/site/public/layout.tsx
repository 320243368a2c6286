import type { ComponentChildren } from "preact";

import type { Assets, Head, LiveView, View } from "./data.ts";

type DocumentProps = Head & {
  view: View;
  /** JSON for the client, without any "<"; null if the page needs no script. */
  json: string | null;
  live: LiveView | undefined;
  assets: Assets;
  children: ComponentChildren;
};

/** The whole HTML document around a page; the content of `#app` is hydrated. */
export function Document({
  title,
  description,
  view,
  json,
  live,
  assets,
  children,
}: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content={description} />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href={assets.style} />
        <script type="module" src={assets.script} />
        {live !== undefined &&
          assets.views[live].map((file) => <link key={file} rel="modulepreload" href={file} />)}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <Masthead />
        <main id="content" tabIndex={-1}>
          <div id="app" data-view={view}>
            {children}
          </div>
        </main>
        <Footer />
        {json !== null && (
          <script type="application/json" id="data" dangerouslySetInnerHTML={{ __html: json }} />
        )}
      </body>
    </html>
  );
}

function Masthead() {
  return (
    <header class="masthead">
      <a class="brand" href="/" aria-label="Bout, the ladder">
        <Mark />
        <span>Bout</span>
      </a>
      <nav aria-label="Main">
        <a href="/#standings">Standings</a>
        <a href="/#bouts">Bouts</a>
        <a href="/guide">Guides</a>
        <a class="call" href="/#enter">
          Enter a bot
        </a>
      </nav>
    </header>
  );
}

/** The ring from above, with one fighter in each of two corners. */
function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect x="2" y="2" width="28" height="28" rx="7" class="mark-ring" />
      <path d="M7 25 V15 L17 25 Z" class="mark-a" />
      <path d="M25 7 V17 L15 7 Z" class="mark-b" />
    </svg>
  );
}

function Footer() {
  return (
    <footer class="footer">
      <p>Bout: two bots, one turn each per tick, both at once.</p>
      <p>
        <a href="/guide">Guides</a> <a href="/changelog">Changes</a> <a href="/api">API</a>
      </p>
    </footer>
  );
}
