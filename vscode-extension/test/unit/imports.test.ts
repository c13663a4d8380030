// Modules of the extension import each other one way only: of two that know each
// other neither can be read, tested or moved alone. Imports of types count too.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../src');

/** What each module imports, by its path without `.ts`. */
function importsBelow(folder: string): Map<string, string[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return new Map(files.map((file) => [moduleOf(join(folder, file)), importsOf(join(folder, file))]));
}

function moduleOf(path: string): string {
  return relative(root, path).replace(/\.ts$/, '');
}

function importsOf(path: string): string[] {
  const specifier = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]*)['"]/g;
  return [...readFileSync(path, 'utf8').matchAll(specifier)].map(([, to]) => moduleOf(resolve(path, '..', to!)));
}

/** The first cycle that is found, from a module back to itself. */
function cycleIn(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (module: string, path: string[]): string[] | undefined => {
    const at = path.indexOf(module);
    if (at >= 0) return [...path.slice(at), module];
    if (done.has(module)) return undefined;
    for (const next of imports.get(module) ?? []) {
      const cycle = visit(next, [...path, module]);
      if (cycle !== undefined) return cycle;
    }
    done.add(module);
    return undefined;
  };
  for (const module of imports.keys()) {
    const cycle = visit(module, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

test('cycles are found', () => {
  expect(cycleIn(new Map([['a', ['b', 'c']], ['b', ['c']], ['c', []]]))).toBeUndefined();
  expect(cycleIn(new Map([['a', ['b']], ['b', ['c']], ['c', ['b']]]))).toEqual(['b', 'c', 'b']);
  expect(cycleIn(new Map([['a', ['a']]]))).toEqual(['a', 'a']);
});

test('no module imports itself, by whatever way', () => {
  const imports = importsBelow(root);
  expect(imports.get('extension')).toContain('server');
  expect(imports.get('counterexample/webview/keys')).toContain('counterexample/webview/state');
  expect([...imports.values()].flat().filter((to) => !imports.has(to))).toEqual([]);
  expect(cycleIn(imports)).toBeUndefined();
});

test('what Node has is imported in node alone, and the rest does not know it', () => {
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts') && !/^(node|web)\b/.test(file));
  expect(sources).toContain('server.ts');
  for (const file of sources) {
    expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(/from '(node:|[^']*\/node['/])|\b(process\.(env|platform)|Buffer\.|require\()/);
    expect(importsOf(join(root, file)).filter((module) => /^(node|web)\b/.test(module)), file).toEqual([]);
  }
});
