// What the browser remembers of its person: the first lessons, and who was beaten.

const TAUGHT = "bout.play.taught";
const BEATEN = "bout.play.beaten";

/** A browser may keep nothing, or refuse to say what it keeps. */
function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // It is only forgotten.
  }
}

export const isTaught = (): boolean => read(TAUGHT) === "yes";
export const noteTaught = (isDone: boolean): void => write(TAUGHT, isDone ? "yes" : "");

/** Short names of the opponents that were beaten here. */
export const beaten = (): string[] => read(BEATEN).split(" ").filter(Boolean);

export function noteBeaten(opponent: string): void {
  write(BEATEN, [...new Set([...beaten(), opponent])].join(" "));
}
