// What the manifest of the extension contributes, which bundles.mjs takes from package.json: languages, keys, commands,
// colours, and settings with their defaults.
import contributes from 'aiglens:contributes';
import { Emitter } from 'monaco-editor/editor/editor.api.js';

export { contributes };

/** The language of a file, by its ending, else by its first line. */
export function languageOf(path: string, text: string): string {
  const line = text.slice(0, 200).split('\n', 1)[0]!;
  const byEnding = contributes.languages.find(({ extensions }) => extensions.some((ending) => path.toLowerCase().endsWith(ending)));
  return (byEnding ?? contributes.languages.find(({ firstLine }) => firstLine !== undefined && new RegExp(firstLine).test(line)))?.id ?? 'plaintext';
}

/** Settings of the editor that the extension asks after, as this page has them. */
const ofEditor: Record<string, unknown> = { 'editor.codeLens': true, 'editor.inlayHints.enabled': 'on', 'editor.formatOnSave': false, 'editor.tabSize': 2 };

const changes = new Emitter<{ affectsConfiguration(section: string): boolean }>();
export const onDidChangeConfiguration = changes.event;

type Tree = { [name: string]: unknown };

function nested(): Tree {
  const root: Tree = {};
  for (const [name, value] of [...Object.entries(ofEditor), ...Object.entries(contributes.settings)]) {
    const parts = name.split('.');
    const last = parts.pop()!;
    let at = root;
    for (const part of parts) at = (at[part] ??= {}) as Tree;
    at[last] = value;
  }
  return root;
}

const all = nested();

function at(path: string | undefined): unknown {
  return path === undefined || path === '' ? all : path.split('.').reduce<unknown>((tree, part) => (tree as Tree | undefined)?.[part], all);
}

/** A section of the settings; its members are there too, as those of VS Code's are. */
export function getConfiguration(section?: string): object {
  const methods = {
    get: (name: string, fallback?: unknown) => at([section, name].filter(Boolean).join('.')) ?? fallback,
    has: (name: string) => at([section, name].filter(Boolean).join('.')) !== undefined,
    inspect: () => undefined,
    update: async () => undefined,
  };
  const own = at(section);
  return { ...(typeof own === 'object' ? own : {}), ...methods };
}
