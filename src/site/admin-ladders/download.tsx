import { Acts } from "#site/admin/act.tsx";
import type { Desk } from "#site/sign-in/desk.ts";

type DownloadProps = {
  desk: Desk;
  /** A route that takes `format`. */
  path: string;
  /** Of the file, without its extension. */
  name: string;
};

/** Buttons that save a table as a file. A link can't carry the session, so the page asks. */
export function Downloads({ desk, path, name }: DownloadProps) {
  const save = async (format: "csv" | "json") => {
    const url = `${path}${path.includes("?") ? "&" : "?"}format=${format}`;
    const answer = await desk.ask<unknown>("GET", url);
    if ("refusal" in answer) return desk.say(answer.refusal.text);
    const { value } = answer;
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    saveFile(`${name}.${format}`, text, format === "csv" ? "text/csv" : "application/json");
    desk.say(`Downloaded ${name}.${format}.`);
  };
  return (
    <Acts>
      {(["csv", "json"] as const).map((format) => (
        <button key={format} type="button" class="button quiet" onClick={() => void save(format)}>
          Download {name}.{format}
        </button>
      ))}
    </Acts>
  );
}

function saveFile(name: string, text: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
