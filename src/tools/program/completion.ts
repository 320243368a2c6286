// Shell completion. The scripts ask the program itself, so they need no update.

import type { Command } from "commander";

/** Makes a command print what may follow instead of running. */
export const COMPLETE_FLAG = "--bout-complete";

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_bout() {
  COMPREPLY=( $(compgen -W "$(bout __complete "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}") )
}
complete -o default -F _bout bout`,
  zsh: `#compdef bout
_bout() { compadd -- \${(f)"$(bout __complete \${words[2,CURRENT-1]} 2>/dev/null)"} || _files }
compdef _bout bout`,
  fish: `complete -c bout -a '(bout __complete (commandline -opc)[2..] 2>/dev/null)'`,
};

/** The script that makes a shell complete `bout`; null for another shell. */
export const completionScript = (shell: string): string | null =>
  Object.hasOwn(SCRIPTS, shell) ? (SCRIPTS[shell] ?? null) : null;

/** What may follow `words` in a command: its subcommands and flags. */
export function completionsOf(command: Command, words: readonly string[]): string[] {
  const [word, ...rest] = words;
  const sub = command.commands.find((known) => known.name() === word);
  if (sub !== undefined) return completionsOf(sub, rest);
  const flags = command.options.flatMap(({ long }) => long ?? []);
  return [...command.commands.map((known) => known.name()), ...flags, "--help"];
}
