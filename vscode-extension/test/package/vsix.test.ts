import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../lib/paths';
import { entries } from '../lib/zip';

/** The packages of these targets, in one go: the bundles are the same in all. */
function build(...targets: string[]): Buffer[] {
  const printed = execFileSync(join(root, 'scripts', 'package.sh'), targets, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return printed.trim().split('\n').map((path) => readFileSync(path));
}

let here: Buffer;
let windows: Buffer;
let universal: Buffer;
let web: Buffer;

beforeAll(() => {
  [here, windows, universal, web] = build('host', 'win32-x64', 'universal', 'web') as [Buffer, Buffer, Buffer, Buffer];
});

const common = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  'extension/LICENSE.txt',
  'extension/NOTICE',
  'extension/dist/circuit.css',
  'extension/dist/circuit.js',
  'extension/dist/graphviz.js',
  'extension/dist/schematic.css',
  'extension/dist/schematic.js',
  'extension/dist/trace.css',
  'extension/dist/trace.js',
  ...['aiger', 'blif', 'btor2', 'smt2'].flatMap((language) => ['dark', 'light'].map((theme) => `extension/images/files/${language}-${theme}.svg`)),
  'extension/images/icon.png',
  ...['open', 'break', 'read', 'repair'].flatMap((step) => ['dark', 'high-contrast', 'light'].map((theme) => `extension/images/walkthrough/${step}-${theme}.png`)),
  'extension/language-configuration/aiger.json',
  'extension/language-configuration/blif.json',
  'extension/language-configuration/btor2.json',
  'extension/language-configuration/smt2.json',
  'extension/package.json',
  'extension/readme.md',
  'extension/schemas/aiglens.schema.json',
  'extension/syntaxes/aiger.tmLanguage.json',
  'extension/syntaxes/blif.tmLanguage.json',
  'extension/syntaxes/btor2.tmLanguage.json',
  'extension/syntaxes/smt2.tmLanguage.json',
  'extension/walkthrough/semaphore2.aag',
];

function check(vsix: Buffer, server?: string): void {
  const contents = entries(vsix);
  expect(contents.map(({ name }) => name).sort()).toEqual([...common, 'extension/dist/extension.js', ...(server === undefined ? [] : [server])].sort());
  if (server === undefined) return;
  expect(contents.find(({ name }) => name === server)?.mode).toBe(0o755);
}

test('the package for this machine holds the server, the bundle and nothing else', () => {
  check(here, process.platform === 'win32' ? 'extension/bin/aiglens.exe' : 'extension/bin/aiglens');
});

test('the package for another platform holds its server and no other', () => {
  check(windows, 'extension/bin/aiglens.exe');
});

test('the universal package holds no server', () => {
  check(universal);
});

test('the package for browsers holds the programs as modules, and no other', () => {
  const contents = entries(web).map(({ name }) => name);
  const programs = ['aiglens.wasm.gz', 'checker.wasm.gz', 'extension.js', 'serverWorker.js'].map((name) => `extension/dist/web/${name}`);
  expect(contents.sort()).toEqual([...common, ...programs].sort());
});

test('NOTICE has the licences of what is linked and bundled', () => {
  execFileSync('node', [join(root, 'scripts', 'notice.mjs'), '--check'], { stdio: ['ignore', 'pipe', 'pipe'] });
});

test('the same source gives the same bytes', () => {
  expect(build('host')[0]!.equals(here)).toBe(true);
});
