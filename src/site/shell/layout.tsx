import type { ComponentChildren } from "preact";

import { THEMES } from "#site/ui/theme.ts";
import type { Theme } from "#site/ui/theme.ts";

import type { PageAssets, PageHead, HydratedView, PageAddress, ViewName } from "./data.ts";

type PageDocumentProps = PageHead &
  PageAddress & {
    view: ViewName;
    /** Hydration data as JSON with "<" escaped. Null if the page isn't hydrated. */
    json: string | null;
    hydratedView: HydratedView | undefined;
    isEmbedded: boolean;
    assets: PageAssets;
    children: ComponentChildren;
  };

/** Renders a page's HTML document. Only the content of `#app` is hydrated. */
export function PageDocument(props: PageDocumentProps) {
  const { view, json, isEmbedded, children } = props;
  return (
    <html lang="en">
      <DocumentHead {...props} />
      <body class={isEmbedded ? "bare" : undefined}>
        {isEmbedded ? <EmbeddedBody view={view}>{children}</EmbeddedBody> : <FullBody {...props} />}
        {json !== null && (
          <script type="application/json" id="data" dangerouslySetInnerHTML={{ __html: json }} />
        )}
      </body>
    </html>
  );
}

type BodyProps = Pick<PageDocumentProps, "view" | "children">;

function EmbeddedBody({ view, children }: BodyProps) {
  return (
    <>
      <div id="notices" class="notices" role="status" />
      <main id="app" data-view={view}>
        {children}
      </main>
    </>
  );
}

function FullBody({ view, path, provider, children }: BodyProps & PageAddress) {
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
      <SiteFooter />
    </>
  );
}

/** Background colors of both themes, for the browser's own UI. */
const PAPER_COLORS = { light: "#f6f3ec", dark: "#101218" } as const;

function DocumentHead(props: PageDocumentProps) {
  const { title, description, path, base, hydratedView, isEmbedded, assets } = props;
  return (
    <head>
      <meta charSet="utf-8" />
      <title>{title}</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="description" content={description} />
      <meta name="color-scheme" content="light dark" />
      {Object.entries(PAPER_COLORS).map(([scheme, color]) => (
        <meta
          key={scheme}
          name="theme-color"
          content={color}
          data-scheme={scheme}
          media={`(prefers-color-scheme: ${scheme})`}
        />
      ))}
      {isEmbedded && <meta name="robots" content="noindex" />}
      {path !== null && !isEmbedded && (
        <ShareMetadata
          {...{ title, description }}
          address={base + path}
          card={base + assets.shareCard}
        />
      )}
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <script src={assets.earlyScript} />
      <link rel="stylesheet" href={assets.style} />
      <script type="module" src={assets.script} />
      {hydratedView !== undefined &&
        assets.views[hydratedView].map((file) => (
          <link key={file} rel="modulepreload" href={file} />
        ))}
    </head>
  );
}

function ShareMetadata(props: PageHead & { address: string; card: string }) {
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
  const ariaCurrent = (href: string) => (isCurrentPage(path, href) ? "page" : undefined);
  return (
    <header class="masthead">
      <a class="brand" href="/" aria-label="Bout home">
        <LogoMark />
        <span>Bout</span>
      </a>
      <nav aria-label="Main">
        {NAVIGATION.map(([text, href]) => (
          <a key={href} href={href} aria-current={ariaCurrent(href)}>
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
          aria-current={ariaCurrent("/account")}
        >
          Account
        </a>
      )}
      <a class="call" href="/create-bot" aria-current={ariaCurrent("/create-bot")}>
        Create a bot
      </a>
    </header>
  );
}

/**
 * Returns whether a navigation link leads to the current page. Ignores the query. All guides count
 * as the guides link's page.
 */
function isCurrentPage(path: string | null, href: string): boolean {
  const ownPath = path?.replace(/\?.*/, "");
  return ownPath === href || (href === "/guide" && ownPath?.startsWith("/guide/") === true);
}

/** The logo: the ring from above, with a fighter in each of two corners. */
function LogoMark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect x="2" y="2" width="28" height="28" rx="7" class="mark-ring" />
      <path d="M7 25 V15 L17 25 Z" class="mark-a" />
      <path d="M25 7 V17 L15 7 Z" class="mark-b" />
    </svg>
  );
}

const FOOTER_LINKS: typeof NAVIGATION = [
  ["Achievements", "/achievements"],
  ["Rules", "/guide/rules"],
  ["Protocol", "/guide/protocol"],
  ["API", "/guide/api"],
  ["Changelog", "/changelog"],
];

function SiteFooter() {
  return (
    <footer class="footer">
      <p>Bout: two bots choose a turn at the same time, every tick.</p>
      <nav aria-label="More">
        {FOOTER_LINKS.map(([text, href]) => (
          <a key={href} href={href}>
            {text}
          </a>
        ))}
      </nav>
      <ThemeSelect />
    </footer>
  );
}

/** Rendered in the browser, because the server doesn't know the stored theme. */
function ThemeSelect() {
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
