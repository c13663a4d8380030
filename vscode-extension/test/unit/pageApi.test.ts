// What the extension imports of VS Code the page has to offer: its bundle would not be built without.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extension } from '../lib/paths';

const read = (...path: string[]) => readFileSync(join(extension, ...path), 'utf8');
const names = (list: string) => list.split(',').map((one) => one.trim()).filter((one) => one !== '' && !one.startsWith('type ')).map((one) => one.split(/\s+as\s+/));

test('the module vscode of the page has each value that the extension imports', () => {
  const files = readdirSync(join(extension, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts') && !/^(node|web)\b/.test(file));
  const imported = files.flatMap((file) => [...read('src', file).matchAll(/^import \{([^}]*)\} from 'vscode'/gm)].flatMap(([, list]) => names(list!).map(([name]) => name!)));
  const offered = new Set(
    ['index.ts', 'values.ts'].flatMap((file) => {
      const text = read('page', 'vscode', file);
      const declared = [...text.matchAll(/^export (?:const|class|function) (\w+)/gm)].map(([, name]) => name!);
      return [...declared, ...[...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) => names(list!).map((one) => one.at(-1)!))];
    }),
  );
  expect(imported.length).toBeGreaterThan(50);
  expect([...new Set(imported)].filter((name) => !offered.has(name))).toEqual([]);
});
