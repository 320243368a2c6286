import { Fragment } from "preact";

import type { Guide, GuideTextData, Heading } from "./data.ts";

/** Heading level listed in a table of contents. */
const TOC_LEVEL = 2;
/** Shorter tables of contents aren't useful. */
const MIN_TOC_ENTRIES = 3;

export function GuidePage({ data }: { data: GuideTextData }) {
  return (
    <div class="guide">
      <article>
        <div class="prose" dangerouslySetInnerHTML={{ __html: data.html }} />
        <p class="sub">
          <a href={data.source}>View as Markdown</a>
        </p>
      </article>
      <TableOfContents headings={data.headings} />
      <GuideNav guides={data.guides} current={data.current} />
    </div>
  );
}

function TableOfContents({ headings }: { headings: readonly Heading[] }) {
  const tocHeadings = headings.filter(({ level }) => level === TOC_LEVEL);
  if (tocHeadings.length < MIN_TOC_ENTRIES) return null;
  return (
    <nav class="guide-parts" aria-label="On this page">
      <h2>On this page</h2>
      <ul>
        {tocHeadings.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function GuideNav({ guides, current }: { guides: readonly Guide[]; current: string | null }) {
  return (
    <nav class="guide-shelf" aria-label="Guides">
      <h2>
        <a href="/guide">Guides</a>
      </h2>
      {[...Map.groupBy(guides, ({ group }) => group)].map(([group, groupGuides]) => (
        <Fragment key={group}>
          <h3>{group}</h3>
          <ul>
            {groupGuides.map(({ name, title }) => (
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
