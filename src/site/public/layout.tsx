import type { ComponentChildren } from "preact";

import { THEMES } from "#site/look/theme.ts";
import type { Theme } from "#site/look/theme.ts";

import type { Assets, Head, LiveView, PageAddress, View } from "./data.ts";

type DocumentProps = Head &
  PageAddress & {
    view: View;
    /** JSON for the client, without any "<"; null if the page needs no script. */
    json: string | null;
    live: LiveView | undefined;
    /** Without masthead and footer, for frames of other sites. */
    isBare: boolean;
    assets: Assets;
    children: ComponentChildren;
  };

/** The whole HTML document around a page; the content of `#app` is hydrated. */
export function Document(props: DocumentProps) {
  const { view, json, isBare, children } = props;
  return (
    <html lang="en">
      <DocumentHead {...props} />
      <body class={isBare ? "bare" : undefined}>
        {isBare ? <Bare view={view}>{children}</Bare> : <Whole {...props} />}
        {json !== null && (
          <script type="application/json" id="data" dangerouslySetInnerHTML={{ __html: json }} />
        )}
      </body>
    </html>
  );
}

type BodyProps = Pick<DocumentProps, "view" | "children">;

/** A page for frames of other sites: its content, and room for what goes wrong. */
function Bare({ view, children }: BodyProps) {
  return (
    <>
      <div id="notices" class="notices" role="status" />
      <main id="app" data-view={view}>
        {children}
      </main>
    </>
  );
}

function Whole({ view, path, provider, children }: BodyProps & PageAddress) {
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <Masthead {...{ path, provider }} />
      <div id="notices" class="notices" role="status" />
      <div id="told-by-operators" class="announcements" role="status" />
      <main id="content" tabIndex={-1}>
        <div id="app" data-view={view}>
          {children}
        </div>
      </main>
      <Footer />
    </>
  );
}

/** The paper of both schemes, for the browser's own frame around the page. */
const PAPER = { light: "#f6f3ec", dark: "#101218" } as const;

function DocumentHead(props: DocumentProps) {
  const { title, description, path, base, live, isBare, assets } = props;
  return (
    <head>
      <meta charSet="utf-8" />
      <title>{title}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="description" content={description} />
      <meta name="color-scheme" content="light dark" />
      {Object.entries(PAPER).map(([scheme, color]) => (
        <meta
          key={scheme}
          name="theme-color"
          content={color}
          data-scheme={scheme}
          media={`(prefers-color-scheme: ${scheme})`}
        />
      ))}
      {isBare && <meta name="robots" content="noindex" />}
      {path !== null && !isBare && (
        <Sharing {...{ title, description }} address={base + path} card={base + assets.card} />
      )}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <script src={assets.early} />
      <link rel="stylesheet" href={assets.style} />
      <script type="module" src={assets.script} />
      {live !== undefined &&
        assets.views[live].map((file) => <link key={file} rel="modulepreload" href={file} />)}
    </head>
  );
}

/** The page's one address, and its card where people share it. */
function Sharing(props: Head & { address: string; card: string }) {
  const { title, description, address, card: image } = props;
  const card = { site_name: "Bout", type: "website", title, description, url: address, image };
  return (
    <>
      <link rel="canonical" href={address} />
      {Object.entries(card).map(([name, content]) => (
        <meta key={name} property={`og:${name}`} content={content} />
      ))}
    </>
  );
}

const NAVIGATION: readonly [text: string, href: string][] = [
  ["Watch", "/"],
  ["Ladder", "/ladder"],
  ["Play", "/play"],
  ["Results", "/results"],
  ["Ladders", "/ladders"],
  ["Guides", "/guide"],
];

function Masthead({ path, provider }: Pick<PageAddress, "path" | "provider">) {
  const current = (href: string) => (isAt(path, href) ? "page" : undefined);
  return (
    <header class="masthead">
      <a class="brand" href="/" aria-label="Bout, the front page">
        <Mark />
        <span>Bout</span>
      </a>
      <nav aria-label="Main">
        {NAVIGATION.map(([text, href]) => (
          <a key={href} href={href} aria-current={current(href)}>
            {text}
          </a>
        ))}
      </nav>
      {provider !== null && (
        <a
          class="own"
          id="own-account"
          href="/account"
          data-provider={JSON.stringify(provider)}
          aria-current={current("/account")}
        >
          Account
        </a>
      )}
      <a class="call" href="/create-bot" aria-current={current("/create-bot")}>
        Create a bot
      </a>
    </header>
  );
}

/** Whether a page is the one of a link, whatever its query; each guide belongs to the guides. */
function isAt(path: string | null, href: string): boolean {
  const own = path?.replace(/\?.*/, "");
  return own === href || (href === "/guide" && own?.startsWith("/guide/") === true);
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

const FOOTER: typeof NAVIGATION = [
  ["Achievements", "/achievements"],
  ["Rules", "/guide/rules"],
  ["Protocol", "/guide/protocol"],
  ["API", "/guide/api"],
  ["Changes", "/changelog"],
];

function Footer() {
  return (
    <footer class="footer">
      <p>Bout: two bots, one turn each per tick, both at once.</p>
      <nav aria-label="More">
        {FOOTER.map(([text, href]) => (
          <a key={href} href={href}>
            {text}
          </a>
        ))}
      </nav>
      <ThemeChoice />
    </footer>
  );
}

/** Filled in by the client: the server does not know what the reader chose. */
function ThemeChoice() {
  return (
    <label class="theme">
      Theme
      <select id="theme" autocomplete="off">
        {THEMES.map((theme) => (
          <option key={theme} value={theme}>
            {THEME_NAMES[theme]}
          </option>
        ))}
      </select>
    </label>
  );
}

const THEME_NAMES: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };
