type Module = Record<string, (...args: unknown[]) => unknown>;

/** Functions that make expressions when they are called, by file: a call that makes each of them. */
export const CALLS: Record<string, (module: Module) => unknown> = {
  'src/adapters/secretlint/issuer-rules.ts': ({ findByIssuer }) => findByIssuer?.(''),
  'src/adapters/settings/hook-script.ts': ({ hooksIn }) => hooksIn?.(''),
  'src/adapters/settings/toml-file.ts': ({ setInTable }) =>
    setInTable?.('[features.own]\nhooks = false\n', ['features', 'own'], 'hooks', true, 'config.toml'),
  'src/app/search/look-up/look-up-sessions.ts': ({ mentionOf }) => [mentionOf?.('3'), mentionOf?.('31')],
  'src/domain/query/read-names.ts': ({ findNames, nameMention }) => [
    findNames?.('in the repo a on branch b on the machine c with codex'),
    nameMention?.({ kind: 'agent', name: 'codex', start: 0, end: 5 }, []),
  ],
  'src/domain/search/lexical.ts': ({ createLexicalTokenizer }) => {
    const tokenizer = createLexicalTokenizer?.() as { locate(text: string, stems: Set<string>): unknown };
    return tokenizer.locate('turbines', new Set(['~turbin', '~ab']));
  },
  'src/domain/session/commit-subject.ts': ({ commitSubjects }) =>
    commitSubjects?.('Bash: git commit -m "$(cat <<EOF Turn the valve EOF'),
  'src/hook/parse-input.ts': ({ parseHookInput }) => parseHookInput?.('{"session_id": "a', undefined),
  'src/page/reader/mark-words.ts': ({ wordsOf }) => wordsOf?.('turbine valve'),
};
