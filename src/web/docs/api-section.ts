// Splits the API pages into sections. The text about a route becomes its description in the
// contract, and the page its tag.

export type ApiSection = {
  /** Name of the page, such as `api-matches`. */
  page: string;
  /** First paragraph, as Markdown. */
  description: string;
  /** First JSON block, or the JSON block of the section with the same response. */
  response?: unknown;
  /** JSON body of the first command. */
  request?: unknown;
};

const PAGE_PREFIX = "api-";
const HEADING = /^#{2,4} `([A-Z]+ \/\S*)`$/;
const JSON_BLOCK = /^```json[^\n]*\n(.*?)^```$/ms;
const REQUEST_BODY = /-d '(\{.*?\})'/s;
const SAME_RESPONSE = /^Response: same schema as \[`([A-Z]+ \/\S*)`\]/m;

/** Returns the sections of all API pages by the route in their heading, such as `GET /api/status`. */
export function apiSections(docs: ReadonlyMap<string, string>): ReadonlyMap<string, ApiSection> {
  const texts = new Map<string, { page: string; text: string }>();
  for (const [page, text] of docs) {
    if (!isApiPage(page)) continue;
    for (const [route, part] of partsOf(text)) texts.set(route, { page, text: part });
  }
  return new Map(
    texts.entries().map(([route, { page, text }]) => {
      const sameRoute = SAME_RESPONSE.exec(text)?.[1] ?? "";
      const responseText = JSON_BLOCK.test(text) ? text : (texts.get(sameRoute)?.text ?? "");
      return [route, { page, ...sectionOf(text, responseText) }] as const;
    }),
  );
}

export const isApiPage = (name: string): boolean => name.startsWith(PAGE_PREFIX);

/** Returns the tag of a page's operations, such as `admin events` for `api-admin-events`. */
export const tagOf = (page: string): string => page.slice(PAGE_PREFIX.length).replaceAll("-", " ");

function partsOf(page: string): [route: string, text: string][] {
  return page.split(/^(?=#{2,4} )/m).flatMap((part) => {
    const [line = "", ...rest] = part.split("\n");
    const route = HEADING.exec(line)?.[1];
    return route === undefined ? [] : [[route, rest.join("\n")] as [string, string]];
  });
}

function sectionOf(text: string, responseText: string): Omit<ApiSection, "page"> {
  const response = JSON_BLOCK.exec(responseText)?.[1];
  const request = REQUEST_BODY.exec(text)?.[1];
  const [description = ""] = text.trim().split("\n\n", 1);
  return {
    description,
    ...(response !== undefined && { response: JSON.parse(response) as unknown }),
    ...(request !== undefined && { request: JSON.parse(request) as unknown }),
  };
}
