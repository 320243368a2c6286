import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

import { fighterIdAt } from "#core/engine/types.ts";
import type { RunningMatchStatus } from "#site/shell/data.ts";
import type { LiveViewerProps } from "#site/viewer/live-viewer.tsx";
import type { NamesByFighter } from "#site/viewer/match-texts.ts";

import { ReplayPlaceholder } from "./replay.tsx";

type LiveStageProps = {
  match: Pick<RunningMatchStatus, "id" | "display_names">;
  /** Shown beside or below the board. */
  summary: ComponentChildren;
  /** `hasWatched` is true if the visitor saw the end of the match. */
  onEnd: (hasWatched: boolean) => void;
  /** Shown until the live view is loaded, and without JavaScript. */
  children: ComponentChildren;
};

/** Shows a running match live. Loads the viewer on demand. */
export function LiveStage({ match, summary, onEnd, children }: LiveStageProps) {
  const [Viewer, setViewer] = useState<FunctionComponent<LiveViewerProps> | null>(null);
  useEffect(() => {
    import("#site/viewer/live-viewer.tsx").then(
      ({ LiveViewer }) => setViewer(() => LiveViewer),
      () => onEnd(false),
    );
  }, []);
  const placeholder = <ReplayPlaceholder summary={summary}>{children}</ReplayPlaceholder>;
  if (Viewer === null) return placeholder;
  const names: NamesByFighter = Object.fromEntries(
    match.display_names.map((name, seat) => [fighterIdAt(seat), name] as const),
  );
  return (
    <Viewer
      matchId={match.id}
      placeholder={placeholder}
      summary={summary}
      names={names}
      onEnd={onEnd}
    />
  );
}
