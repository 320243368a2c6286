import { Copy } from "#site/look/copy.tsx";
import { Section } from "#site/look/parts.tsx";
import { nameOfBot } from "#site/viewer/words.ts";

import type { MatchData } from "./data.ts";

/** Files of a bout, the command that checks it, and the text that embeds it. */
export function TakeAlong({ data }: { data: MatchData }) {
  const { base_url, source, match } = data;
  const isKept = data.phase === "running" || data.has_replay;
  const names = data.phase === "ended" ? data.match.bots.map(nameOfBot) : data.match.display_names;
  return (
    <Section id="take-along" title="Take it along">
      <dl class="take-along">
        <div>
          <dt>Files</dt>
          <dd>
            <ul class="files">
              {isKept && (
                <>
                  <File path={`/replays/${match.id}.jsonl.gz`} schemas={REPLAY_SCHEMAS}>
                    the replay
                  </File>
                  <File path={`/api/matches/${match.id}/stats`} schemas={["match-stats"]}>
                    the statistics
                  </File>
                </>
              )}
              <File path={`/api/matches/${match.id}`} schemas={["match"]}>
                the result
              </File>
            </ul>
          </dd>
        </div>
        {isKept && (
          <div>
            <dt>Verify it yourself</dt>
            <dd>
              {source === null ? (
                <p class="sub">
                  A simulator plays every tick of a replay again and compares each state: the one{" "}
                  <a href="/guide/simulator#replays">for JavaScript</a>, or that{" "}
                  <a href="/guide/python-simulator#verify-replays">for Python</a>.
                </p>
              ) : (
                <Verify path={`${base_url}/replays/${match.id}.jsonl.gz`} source={source} />
              )}
            </dd>
          </div>
        )}
        <div>
          <dt>Embed it</dt>
          <dd>
            <Snippet text={frameOf(base_url, match.id, names)} label="the frame" />
            <p class="sub">
              <a href={`/view/${match.id}`}>The viewer alone</a>, which any page may frame.
            </p>
          </dd>
        </div>
      </dl>
    </Section>
  );
}

/** The command needs the project, so it is shown only where one can be had. */
function Verify({ path, source }: { path: string; source: string }) {
  return (
    <>
      <Snippet text={`npx --no bout replay ${path}`} label="the command that verifies the replay" />
      <p class="sub">
        In <a href={source}>a copy of this project</a>. It plays every tick again and compares each
        state; see <a href="/guide/cli#bout-replay">the guide</a>.
      </p>
    </>
  );
}

const REPLAY_SCHEMAS = ["replay-header", "replay-tick", "replay-result"];

type FileProps = { path: string; schemas: readonly string[]; children: string };

function File({ path, schemas, children }: FileProps) {
  return (
    <li>
      <a href={path}>{children}</a>{" "}
      <span class="sub">
        ({schemas.length === 1 ? "schema" : "schemas"}:{" "}
        {schemas.map((name, at) => (
          <>
            {at > 0 && ", "}
            <a href={`/docs/schema/${name}.json`}>{name}</a>
          </>
        ))}
        )
      </span>
    </li>
  );
}

function Snippet({ text, label }: { text: string; label: string }) {
  return (
    <div class="snippet">
      <pre>
        <code>{text}</code>
      </pre>
      <Copy text={text} label={label} />
    </div>
  );
}

function frameOf(base: string, id: string, names: readonly string[]): string {
  const title = escaped(`${names.join(" against ")}, a bout`);
  return `<iframe src="${base}/view/${id}" title="${title}" width="640" height="480" loading="lazy"></iframe>`;
}

/** For an attribute in double quotes. */
const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
