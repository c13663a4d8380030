// The models of a commit, read from a repository of git.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EarlierModels } from '../../src/node/earlierModels';
import { Uri } from './vscode';

let root: string;

function git(...args: string[]): void {
  execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args], { stdio: 'ignore' });
}

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'aiglens-earlier-')));
  git('init', '-q');
  mkdirSync(join(root, 'cells'));
});

afterEach(() => rmSync(root, { recursive: true }));

function committed(...files: string[]): EarlierModels {
  for (const name of files) writeFileSync(join(root, name), `.model ${name}\n`);
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  for (const name of files) writeFileSync(join(root, name), '.model later\n');
  return new EarlierModels(Uri.file(join(root, 'top.blif')) as never, 'HEAD');
}

const known = (models: EarlierModels) => models.files.files.map(({ path, text, now }) => [path.slice(root.length + 1), text ?? now]);

test('a link is what it leads to in the commit', async () => {
  symlinkSync('cells/cell.blif', join(root, 'near.blif'));
  symlinkSync('nowhere.blif', join(root, 'dangling.blif'));
  symlinkSync('loop.blif', join(root, 'loop.blif'));
  symlinkSync('/outside.blif', join(root, 'far.blif'));
  symlinkSync('/outside.blif', join(root, 'replaced.blif'));
  const models = committed('top.blif', 'cells/cell.blif');
  rmSync(join(root, 'replaced.blif'));
  writeFileSync(join(root, 'replaced.blif'), '.model other\n');
  await models.tell({ files: ['near', 'dangling', 'loop', 'far', 'replaced', 'cells/cell', 'none'].map((name) => join(root, `${name}.blif`)), folders: [] });
  expect(known(models)).toEqual([
    ['near.blif', '.model cells/cell.blif\n'],
    ['dangling.blif', undefined],
    ['loop.blif', undefined],
    ['far.blif', true],
    ['replaced.blif', undefined],
    ['cells/cell.blif', '.model cells/cell.blif\n'],
    ['none.blif', undefined],
  ]);
  expect(models.notes).toEqual(['not in the last commit: dangling.blif, loop.blif, replaced.blif, none.blif', 'in no commit of this repository, and taken as it is now: far.blif']);
});

test('a folder has its links too, and no more files than the server looks at', async () => {
  symlinkSync('../top.blif', join(root, 'cells', 'a_link.blif'));
  const names = Array.from({ length: 600 }, (_, n) => `cells/m${1000 + n}.blif`);
  const models = committed('top.blif', 'cells/a.text', ...names);
  await models.tell({ files: [], folders: [join(root, 'cells')] });
  expect(known(models)).toHaveLength(500);
  expect(known(models)).toContainEqual(['cells/a_link.blif', '.model top.blif\n']);
  expect(known(models)).toContainEqual([names[498], `.model ${names[498]}\n`]);
});
