const TUTORIAL_STORAGE_KEY = "bout.play.taught";
const BEATEN_STORAGE_KEY = "bout.play.beaten";

/** Returns an empty string if storage is disabled or unreadable. */
function readStorage(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function writeStorage(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is optional. Without it, nothing is remembered.
  }
}

export const hasFinishedTutorial = (): boolean => readStorage(TUTORIAL_STORAGE_KEY) === "yes";
export const saveTutorialFinished = (isDone: boolean): void =>
  writeStorage(TUTORIAL_STORAGE_KEY, isDone ? "yes" : "");

export const loadBeatenOpponents = (): string[] =>
  readStorage(BEATEN_STORAGE_KEY).split(" ").filter(Boolean);

export function saveBeatenOpponent(opponent: string): void {
  writeStorage(BEATEN_STORAGE_KEY, [...new Set([...loadBeatenOpponents(), opponent])].join(" "));
}
