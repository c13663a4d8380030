import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findBinary, howToGet } from '../../src/node/binary';

let extension: string;

beforeEach(() => {
  extension = mkdtempSync(join(tmpdir(), 'aiglens-'));
  mkdirSync(join(extension, 'bin'));
});

afterEach(() => rmSync(extension, { recursive: true }));

function program(path: string, mode = 0o755): string {
  writeFileSync(path, '');
  chmodSync(path, mode);
  return path;
}

test('the bundled program, by the name of the platform', async () => {
  const unix = program(join(extension, 'bin', 'aiglens'));
  const windows = program(join(extension, 'bin', 'aiglens.exe'));
  expect(await findBinary(extension, undefined, 'linux')).toEqual({ path: unix });
  expect(await findBinary(extension, undefined, 'darwin')).toEqual({ path: unix });
  expect(await findBinary(extension, undefined, 'win32')).toEqual({ path: windows });
});

test('the setting goes before the bundled program', async () => {
  program(join(extension, 'bin', 'aiglens'));
  const own = program(join(extension, 'own'));
  expect(await findBinary(extension, own, 'linux')).toEqual({ path: own });
});

test.each([
  ['a package for another platform', undefined, /contains no server for this platform: there is no .*aiglens/],
  ['a relative path', 'bin/aiglens', /must be an absolute path, but is "bin\/aiglens"/],
  ['a path to nothing', '/nowhere/aiglens', /aiglens\.server\.path names no program: there is no \/nowhere\/aiglens/],
  ['a folder', tmpdir(), /is not a file/],
])('%s is explained', async (_, configured, problem) => {
  expect(await findBinary(extension, configured, 'linux', '')).toEqual({ problem: expect.stringMatching(problem) });
});

test('a file that is not executable is explained', async () => {
  const path = program(join(extension, 'bin', 'aiglens'), 0o644);
  expect(await findBinary(extension, undefined, 'linux')).toEqual({ problem: `The server ${path} is not executable.` });
});

test('without a bundled program the first on the PATH, but none of a relative folder', async () => {
  const folders = ['a', 'b', 'c'].map((name) => join(extension, name));
  for (const folder of folders) mkdirSync(folder);
  program(join(folders[0]!, 'aiglens'), 0o644);
  const second = program(join(folders[1]!, 'aiglens'));
  program(join(folders[2]!, 'aiglens'));
  expect(await findBinary(extension, undefined, 'linux', ['', '.', 'a', '/nowhere', ...folders].join(':'))).toEqual({ path: second });
  const bundled = program(join(extension, 'bin', 'aiglens'));
  expect(await findBinary(extension, undefined, 'linux', folders.join(':'))).toEqual({ path: bundled });
});

test('where there is none anywhere, how to get one is said', async () => {
  expect(await findBinary(extension, undefined, 'linux', '/nowhere:.')).toEqual({ problem: expect.stringContaining(howToGet) });
  expect(howToGet).toContain('go install ./cmd/aiglens');
});
