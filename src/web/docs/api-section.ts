// The page about the HTTP API by section: what it says about a route goes into the contract.

export type ApiSection = {
  /** The first paragraph, as Markdown. */
  about: string;
  /** The first JSON block. */
  answer?: unknown;
  /** What the first command sends. */
  request?: unknown;
};

const HEADING = /^#{2,4} `([A-Z]+ \/\S*)`$/;
const JSON_BLOCK = /^```json[^\n]*\n(.*?)^```$/ms;
const SENT = /-d '(\{.*?\})'/s;

/** Sections by what their headings name, such as `GET /api/status`. */
export function apiSections(page: string): ReadonlyMap<string, ApiSection> {
  const parts = page.split(/^(?=#{2,4} )/m);
  return new Map(
    parts.flatMap((part) => {
      const [line = "", ...rest] = part.split("\n");
      const name = HEADING.exec(line)?.[1];
      return name === undefined ? [] : [[name, sectionOf(rest.join("\n"))] as const];
    }),
  );
}

function sectionOf(text: string): ApiSection {
  const answer = JSON_BLOCK.exec(text)?.[1];
  const request = SENT.exec(text)?.[1];
  const [about = ""] = text.trim().split("\n\n", 1);
  return {
    about,
    ...(answer !== undefined && { answer: JSON.parse(answer) as unknown }),
    ...(request !== undefined && { request: JSON.parse(request) as unknown }),
  };
}
