import { fragmentOf } from "#core/api/guide-links.ts";

import type { Guide, GuideTextData } from "./data.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Heading } from "./markdown.ts";
import { releaseFragments } from "./release-fragments.ts";
import { GuideSearchField } from "./search-field.tsx";

/** Heading level listed in a table of contents. */
const TOC_LEVEL = 2;
/** Shorter tables of contents aren't useful. */
const MIN_TOC_ENTRIES = 3;

export function GuidePage({ data }: { data: GuideTextData }) {
  const { markdown, fragments, source, guides, current } = data;
  const headingId = fragments === "text" ? fragmentOf : releaseFragments();
  const { title, html, headings } = renderMarkdown(markdown, headingId);
  return (
    <div class="guide">
      <div class="guide-side">
        <GuideSearchField />
        <GuideNav guides={guides} current={current} />
      </div>
      <article class="guide-article">
        <div class="prose" dangerouslySetInnerHTML={{ __html: title }} />
        <TableOfContents headings={headings} />
        <div class="prose guide-body" dangerouslySetInnerHTML={{ __html: html }} />
        <div class="guide-end">
          <p class="sub">
            <a href={source}>View as Markdown</a>
          </p>
          <AdjacentGuides guides={guides} current={current} />
        </div>
      </article>
    </div>
  );
}

function TableOfContents({ headings }: { headings: readonly Heading[] }) {
  const tocHeadings = headings.filter(({ level }) => level === TOC_LEVEL);
  if (tocHeadings.length < MIN_TOC_ENTRIES) return null;
  return (
    <nav class="guide-toc" aria-label="On this page">
      <details class="guide-menu">
        <summary>On this page</summary>
        <ul>
          {tocHeadings.map(({ id, text }) => (
            <li key={id}>
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

type GuideNavProps = Pick<GuideTextData, "guides" | "current">;

function GuideNav({ guides, current }: GuideNavProps) {
  const currentGroup = guides.find(({ name }) => name === current)?.group;
  return (
    <nav class="guide-nav" aria-label="Guides">
      <details class="guide-menu">
        <summary>Guides menu</summary>
        <a href="/guide">All guides</a>
        {[...Map.groupBy(guides, ({ group }) => group)].map(([group, groupGuides]) => (
          <details key={group} class="guide-group" open={group === currentGroup}>
            <summary>{group}</summary>
            <ul>
              {groupGuides.map(({ name, title }) => (
                <li key={name}>
                  <a href={`/guide/${name}`} aria-current={name === current ? "page" : undefined}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </details>
    </nav>
  );
}

function AdjacentGuides({ guides, current }: GuideNavProps) {
  const index = guides.findIndex(({ name }) => name === current);
  if (index === -1) return null;
  return (
    <nav class="guide-adjacent" aria-label="Previous and next guide">
      {guideLink("Previous", guides[index - 1])}
      {guideLink("Next", guides[index + 1])}
    </nav>
  );
}

function guideLink(direction: "Previous" | "Next", guide: Guide | undefined) {
  if (guide === undefined) return null;
  return (
    <a href={`/guide/${guide.name}`} rel={direction === "Next" ? "next" : "prev"}>
      <span class="sub">{direction}</span> {guide.title}
    </a>
  );
}
