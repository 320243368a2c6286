import { ActionBar } from "#site/admin/action-form.tsx";
import type { AuthContext } from "#site/sign-in/auth-context.ts";

type DownloadButtonsProps = {
  auth: AuthContext;
  /** API path that accepts a `format` parameter. */
  path: string;
  /** File name without its extension. */
  name: string;
};

/**
 * Downloads a table as a file. A link can't send the access token, so the page makes the request.
 */
export function DownloadButtons({ auth, path, name }: DownloadButtonsProps) {
  const download = async (format: "csv" | "json") => {
    const url = `${path}${path.includes("?") ? "&" : "?"}format=${format}`;
    const response = await auth.sendRequest<unknown>("GET", url);
    if ("refusal" in response) return auth.showStatusMessage(response.refusal.text);
    const { value } = response;
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    saveFile(`${name}.${format}`, text, format === "csv" ? "text/csv" : "application/json");
    auth.showStatusMessage(`Downloaded ${name}.${format}.`);
  };
  return (
    <ActionBar>
      {(["csv", "json"] as const).map((format) => (
        <button
          key={format}
          type="button"
          class="button quiet"
          onClick={() => void download(format)}
        >
          Download {name}.{format}
        </button>
      ))}
    </ActionBar>
  );
}

function saveFile(name: string, text: string, type: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}
