import { Fragment } from "preact";

import type { Guide, GuideTextData, Heading } from "./data.ts";

/** Depth of headings in a page's table of contents. */
const LISTED_LEVEL = 2;
/** A shorter table of contents is of no help. */
const LISTED_LEAST = 3;

/** A text rendered from Markdown, between the list of guides and its own table of contents. */
export function GuideText({ data }: { data: GuideTextData }) {
  return (
    <div class="guide">
      <article>
        <div class="prose" dangerouslySetInnerHTML={{ __html: data.html }} />
        <p class="sub">
          <a href={data.source}>This page for programs</a>
        </p>
      </article>
      <Parts headings={data.headings} />
      <Shelf guides={data.guides} current={data.current} />
    </div>
  );
}

function Parts({ headings }: { headings: readonly Heading[] }) {
  const listed = headings.filter(({ level }) => level === LISTED_LEVEL);
  if (listed.length < LISTED_LEAST) return null;
  return (
    <nav class="guide-parts" aria-label="On this page">
      <h2>On this page</h2>
      <ul>
        {listed.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Shelf({ guides, current }: { guides: readonly Guide[]; current: string | null }) {
  return (
    <nav class="guide-shelf" aria-label="Guides">
      <h2>
        <a href="/guide">Guides</a>
      </h2>
      {[...Map.groupBy(guides, ({ group }) => group)].map(([group, own]) => (
        <Fragment key={group}>
          <h3>{group}</h3>
          <ul>
            {own.map(({ name, title }) => (
              <li key={name}>
                <a href={`/guide/${name}`} aria-current={name === current ? "page" : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </Fragment>
      ))}
    </nav>
  );
}
