import type { MissingData } from "./data.ts";

const TEXTS: Record<MissingData["what"], { heading: string; lead: string }> = {
  page: { heading: "Not found", lead: "There is no such page." },
  bot: { heading: "No such fighter", lead: "There is no bot of this name." },
  ladder: { heading: "No such ladder", lead: "There is no ladder or season of this name." },
  bout: { heading: "Nobody in this corner", lead: "There is no bout with this number." },
  view: { heading: "Nobody in this corner", lead: "There is no bout with this number." },
};

/** The page for an address that does not exist. */
export function MissingPage({ data: { what } }: { data: MissingData }) {
  const { heading, lead } = TEXTS[what];
  // A frame of another site is too small for ours, so its link opens a page of its own.
  const target = what === "view" ? { target: "_blank", rel: "noopener" } : {};
  return (
    <div class="missing">
      <h1>{heading}</h1>
      <p class="lead">{lead}</p>
      <p>
        <a class="button" href="/" {...target}>
          To the ladder
        </a>
        {what === "page" && (
          <>
            {" "}
            <a class="button quiet" href="/guide">
              To the guides
            </a>
          </>
        )}
      </p>
    </div>
  );
}
