import { Fragment } from "preact";

import type { Guide, GuideListData } from "./data.ts";
import { GuideSearchField } from "./search-field.tsx";

export function GuideIndexPage({ data: { guides, schemas } }: { data: GuideListData }) {
  return (
    <article class="guide-list prose">
      <h1>Guides</h1>
      <GuideSearchField />
      <div class="guide-groups">
        {[...Map.groupBy(guides, ({ group }) => group)].map(([group, groupGuides]) => (
          <section key={group}>
            <h2>{group}</h2>
            <dl>{groupGuides.map(guideEntry)}</dl>
          </section>
        ))}
      </div>
      <h2>For programs</h2>
      <p>
        The guides are available as Markdown at <a href="/docs">/docs</a>. The HTTP API is described
        by <a href="/openapi.json">/openapi.json</a>. For language models, see{" "}
        <a href="/llms.txt">/llms.txt</a> . Schemas:
      </p>
      <ul class="columns">
        {schemas.map((name) => (
          <li key={name}>
            <a href={`/docs/schema/${name}.json`}>{name}</a>
          </li>
        ))}
      </ul>
    </article>
  );
}

const guideEntry = ({ name, title, summary }: Guide) => (
  <Fragment key={name}>
    <dt>
      <a href={`/guide/${name}`}>{title}</a>
    </dt>
    <dd>{summary}</dd>
  </Fragment>
);
