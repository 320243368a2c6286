// Shell completion. The scripts query the installed program, so they never need an update.

import type { Command } from "commander";

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

/** Returns the completion script for a shell; null if the shell isn't supported. */
export const completionScript = (shell: string): string | null =>
  Object.hasOwn(SCRIPTS, shell) ? (SCRIPTS[shell] ?? null) : null;

/** Returns the subcommands and flags that can follow `commandLine`. */
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
