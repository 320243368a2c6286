import { Fragment } from "preact";

import type { Guide, GuideListData } from "./data.ts";

/** All guides by group, and resources for programs. */
export function GuideList({ data: { guides, schemas } }: { data: GuideListData }) {
  return (
    <article class="guide-list prose">
      <h1>Guides</h1>
      <div class="guide-groups">
        {[...Map.groupBy(guides, ({ group }) => group)].map(([group, own]) => (
          <section key={group}>
            <h2>{group}</h2>
            <dl>{own.map(entry)}</dl>
          </section>
        ))}
      </div>
      <h2>For programs</h2>
      <p>
        The guides as Markdown are listed at <a href="/docs">/docs</a>, the HTTP API is described by{" "}
        <a href="/openapi.json">/openapi.json</a>, and <a href="/llms.txt">/llms.txt</a> is a list
        for language models. Schemas:
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

const entry = ({ name, title, summary }: Guide) => (
  <Fragment key={name}>
    <dt>
      <a href={`/guide/${name}`}>{title}</a>
    </dt>
    <dd>{summary}</dd>
  </Fragment>
);
