import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../lib/paths';
import { entries } from '../lib/zip';

/** Another platform than any that tests run on, so that no other test waits for its file. */
function build(target: string): Buffer {
  execFileSync(join(root, 'scripts', 'package.sh'), [target], { stdio: 'pipe' });
  return readFileSync(join(root, 'out', `aiglens-${target}.vsix`));
}

const common = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/dist/extension.js',
  'extension/images/icon.png',
  'extension/language-configuration/aiger.json',
  'extension/language-configuration/blif.json',
  'extension/package.json',
  'extension/readme.md',
  'extension/syntaxes/aiger.tmLanguage.json',
  'extension/syntaxes/blif.tmLanguage.json',
];

test.each([
  ['darwin-arm64', 'extension/bin/aiglens'],
  ['win32-x64', 'extension/bin/aiglens.exe'],
])('%s holds the server, the bundle and nothing else', (target, server) => {
  const contents = entries(build(target));
  expect(contents.map(({ name }) => name).sort()).toEqual([...common, server].sort());
  expect(contents.find(({ name }) => name === server)?.mode).toBe(0o755);
});

test('the same source gives the same bytes', () => {
  expect(build('linux-arm64').equals(build('linux-arm64'))).toBe(true);
});
