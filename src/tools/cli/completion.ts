// Shell completion. The scripts query the program itself, so they need no update.

import type { Command } from "commander";

/** Makes a command print completions instead of running. */
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

/** Returns the completion script for a shell; null if the shell is not supported. */
export const completionScript = (shell: string): string | null =>
  Object.hasOwn(SCRIPTS, shell) ? (SCRIPTS[shell] ?? null) : null;

/** Returns completions after `words` in a command: its subcommands and flags. */
export function completionsOf(command: Command, commandLine: readonly string[]): string[] {
  const [nextWord, ...rest] = commandLine;
  const subcommand = command.commands.find(
    (subcommandOption) => subcommandOption.name() === nextWord,
  );
  if (subcommand !== undefined) return completionsOf(subcommand, rest);
  const flags = command.options.flatMap(({ long }) => long ?? []);
  return [
    ...command.commands.map((subcommandOption) => subcommandOption.name()),
    ...flags,
    "--help",
  ];
}
