// The languages of the manifest, with the colours of comments and words that no server has to be asked for.
import { languages } from 'monaco-editor/editor/editor.api.js';
import { contributes } from './vscode/contributed';

const rules: Record<string, languages.IMonarchLanguageRule[]> = {
  aiger: [
    [/^(aag)(\s+[\d ]+)$/, ['keyword', 'number']],
    [/^[ilobcjf]\d+(?=\s)/, 'keyword'],
    [/^c$/, { token: 'comment', next: '@rest' }],
  ],
  blif: [
    [/#.*$/, 'comment'],
    [/^\s*\.\w+/, 'keyword'],
  ],
  btor2: [
    [/;.*$/, 'comment'],
    [/^\s*\d+/, 'header'],
    [/\b(sort|input|output|state|init|next|bad|constraint|fair|justice|const|constd|consth|zero|one|ones)\b/, 'keyword'],
  ],
  smt2: [
    [/;.*$/, 'comment'],
    [/"[^"]*"/, 'string'],
    [/:[\w-]+/, 'property'],
    [/\b(set-logic|set-info|set-option|declare-fun|declare-const|define-fun|assert|check-sat|exit|forall|exists|let|and|or|not|ite)\b|=>/, 'keyword'],
  ],
};

export function registerLanguages(): void {
  for (const { id, extensions, aliases, configuration } of contributes.languages) {
    languages.register({ id, extensions, aliases });
    languages.setMonarchTokensProvider(id, { defaultToken: '', tokenizer: { root: rules[id] ?? [], rest: [[/.*/, 'comment']] } });
    const { wordPattern, brackets, comments, autoClosingPairs = [] } = configuration;
    const pairs = [...brackets, ...autoClosingPairs].map((pair) => (Array.isArray(pair) ? { open: pair[0], close: pair[1] } : pair));
    languages.setLanguageConfiguration(id, { brackets, autoClosingPairs: pairs, ...(comments === undefined ? {} : { comments }), wordPattern: new RegExp(wordPattern, 'g') });
  }
}
