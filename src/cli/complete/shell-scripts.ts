export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type CompletionShell = (typeof SHELLS)[number];

/**
 * Each script asks `smart-fork complete -- WORDS…` for lines with a value, a tab and a description. Without an answer, the shell completes
 * file names. The words being typed are passed on unchanged, never evaluated.
 */
export function completionScript(shell: CompletionShell): string {
  return SCRIPTS[shell];
}

const BASH = `# smart-fork completion for bash. Add this line to ~/.bashrc:
#   source <(smart-fork completion bash)
_smart_fork() {
  local value about quoted
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    printf -v quoted %q "$value"
    COMPREPLY+=("$quoted")
  done < <(smart-fork complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _smart_fork smart-fork
`;

const ZSH = `#compdef smart-fork
# smart-fork completion for zsh. Add this line to ~/.zshrc, after compinit:
#   source <(smart-fork completion zsh)
_smart_fork() {
  local value about
  local -a found
  while IFS=$'\\t' read -r value about; do
    found+=("\${value//:/\\\\:}\${about:+:$about}")
  done < <(smart-fork complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then
    compset -P '--*='
    _describe -V smart-fork found
  else
    _files
  fi
}
if [ "$funcstack[1]" = _smart_fork ]; then
  _smart_fork "$@"
else
  compdef _smart_fork smart-fork
fi
`;

const FISH = `# smart-fork completion for fish. Save it once:
#   smart-fork completion fish > ~/.config/fish/completions/smart-fork.fish
function __smart_fork_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found (smart-fork complete -- $words[2..-1] "$current" 2>/dev/null)
  if test (count $found) -gt 0
    set -l option (string match -r -- '^--[^=]*=' "$current")
    printf "$option%s\\n" $found
  else
    __fish_complete_path "$current"
  end
end
complete -c smart-fork -f -k -a '(__smart_fork_complete)'
`;

/** Older versions of PowerShell drop empty arguments, so "" stands for a word that has not been started. */
const POWERSHELL = `# smart-fork completion for PowerShell. Add this line to $PROFILE:
#   smart-fork completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName smart-fork -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '""' }
  $option = if ($wordToComplete -match '^--[\\w-]+=') { $Matches[0] } else { '' }
  smart-fork complete -- @words 2>$null | ForEach-Object {
    $value, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $value }
    [System.Management.Automation.CompletionResult]::new("$option$value", $value, 'ParameterValue', $about)
  }
}
`;

const SCRIPTS: Record<CompletionShell, string> = {
  bash: BASH,
  zsh: ZSH,
  fish: FISH,
  powershell: POWERSHELL,
};
