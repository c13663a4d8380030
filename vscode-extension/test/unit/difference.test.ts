// What leaves a comparison: waves of both sides, files; and what it takes from other files of a commit.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { saveDifference } from '../../src/comparison/export';
import { signalsOf, wordsOf } from '../../src/comparison/panel';
import { comparing } from '../../src/comparison/register';
import { commits } from '../../src/node/lastCommit';
import type { ComparedRow, ComparedRun, Comparison, EarlierFiles } from '../../src/protocol';
import { Refusal } from '../../src/refusal';
import { CancellationTokenSource, configured, Uri, window, workspace } from './vscode';

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const row = (name: string, kind: ComparedRow['kind'], values: string, other?: string, differs?: number): ComparedRow => ({
  range,
  name,
  kind,
  values,
  ...(other === undefined ? {} : { other }),
  ...(differs === undefined ? {} : { differs }),
});

test('waves have what differs first, and one row for what is the same on both sides', () => {
  const run: ComparedRun = {
    steps: 3,
    observed: { name: 'y', values: '000', other: '001' },
    here: [row('a', 'input', '01x', '01x'), row('q', 'latch', '010', '011', 2), row('p', 'latch', '000', '010', 1), row('y', 'gate', '000', '001', 2), row('g', 'gate', '0x0', '000'), row('own', 'gate', '111')],
    there: [row('a', 'input', '01x', '01x'), row('q', 'latch', '011', '010', 2), row('y', 'gate', '001', '000', 2), row('h', 'gate', '001')],
  };
  const rows = signalsOf(run, 'HEAD').map(({ group, name, values, place }) => [group, name, values, place?.side ?? null]);
  expect(rows).toEqual([
    ['property', 'y', '000', 'here'],
    ['differ', 'HEAD: y', '001', 'there'],
    ['differ', 'p', '000', 'here'],
    ['differ', 'HEAD: p', '010', null],
    ['differ', 'q', '010', 'here'],
    ['differ', 'HEAD: q', '011', 'there'],
    ['inputs', 'a', '01x', 'here'],
    ['others', 'g', '0x0', 'here'],
    ['others', 'HEAD: g', '000', null],
    ['others', 'own', '111', 'here'],
    ['others', 'HEAD: h', '001', 'there'],
  ]);
});

test('words of both sides have bits that differ and bits that do not', () => {
  const bits = (...signals: number[]) => signals.map((signal) => ({ signal }));
  const word = { group: 'latches', name: 'q', local: 'q', high: 2, low: 0 } as const;
  const run: ComparedRun = {
    steps: 2,
    observed: { name: 'y', values: '00', other: '01' },
    here: [row('q0', 'latch', '01', '00', 1), row('q1', 'latch', '11', '11'), row('p0', 'latch', '10', '10'), row('p1', 'latch', '11', '11')],
    there: [row('q1', 'latch', '11', '11'), row('q0', 'latch', '00', '01', 1), row('p0', 'latch', '10', '10'), row('p1', 'latch', '11', '11')],
    hereWords: [{ ...word, bits: bits(-1, 1, 0) }, { ...word, name: 'p', local: 'p', bits: bits(3, 2) }],
    thereWords: [{ ...word, bits: bits(-1, 0, 1) }, { ...word, name: 'p', local: 'p', bits: bits(3, 2) }],
  };
  const signals = signalsOf(run, 'HEAD');
  expect(signals.map(({ name }) => name)).toEqual(['y', 'HEAD: y', 'q0', 'HEAD: q0', 'q1', 'p0', 'p1']);
  const words = wordsOf(run, 'HEAD', signals).map(({ name, group, bits: all }) => [name, group, ...all.map(({ signal }) => signals[signal]?.name)]);
  expect(words).toEqual([
    ['q', 'differ', undefined, 'q1', 'q0'],
    ['p', 'latches', 'p1', 'p0'],
    ['HEAD: q', 'differ', undefined, 'q1', 'HEAD: q0'],
  ]);
});

test('a difference is saved in a format that is chosen, where the dialogue says', async () => {
  const document = { uri: Uri.file('/w/top.blif') };
  const about = { document, baseline: { words: 'HEAD', short: 'HEAD', other: { text: 'earlier' }, document: document.uri }, run: undefined };
  const execute = vi.fn(async () => ({ name: 'top.differs.output0.b.wit', text: '1\n' }));
  const save = () => saveDifference({ execute } as never, { about } as never);
  window.showQuickPick.mockResolvedValueOnce(undefined);
  await save();
  expect(execute).not.toHaveBeenCalled();

  window.showQuickPick.mockImplementation(async (items: { label: string }[]) => items.find(({ label }) => label.includes('witness of HEAD')));
  window.showSaveDialog.mockResolvedValueOnce(undefined);
  await save();
  expect(execute).toHaveBeenCalledWith('aiglens.exportDifference', { uri: 'file:///w/top.blif', text: 'earlier', name: 'HEAD', format: 'witness', side: 'there' });
  expect(window.showSaveDialog).toHaveBeenCalledWith({ defaultUri: expect.objectContaining({ path: '/w/top.differs.output0.b.wit' }) });
  expect(workspace.fs.writeFile).not.toHaveBeenCalled();
  const target = Uri.file('/w/out.wit');
  window.showSaveDialog.mockResolvedValueOnce(target);
  await save();
  expect(workspace.fs.writeFile).toHaveBeenCalledWith(target, new TextEncoder().encode('1\n'));
  await expect(saveDifference({ execute } as never, { about: undefined } as never)).rejects.toThrow(/no difference is shown/);
});

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'aiglens-test-')));
});

afterEach(() => {
  workspace.isTrusted = true;
  configured.clear();
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

function commit(...names: string[]): void {
  const git = (...args: string[]) => execFileSync('git', ['-C', join(folder, 'repository'), '-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args], { stdio: 'ignore' });
  git('init', '-q');
  git('add', ...names);
  git('commit', '-q', '-m', 'one');
}

/** What a server is told that needs some files of a commit, once it has all. */
async function told(needs: { files?: string[]; folders?: string[] }): Promise<{ earlier: EarlierFiles; message: string }> {
  const file = Uri.file(join(folder, 'repository/src/top.blif'));
  const answer: Comparison = { verdict: 'equal', message: 'same function', pairs: [], alone: [], otherAlone: [], version: 1 };
  let asked: EarlierFiles | undefined;
  const execute = vi.fn(async (_: string, params: { earlier: EarlierFiles }) => {
    asked = params.earlier;
    return execute.mock.calls.length > 1 ? answer : { ...answer, verdict: 'unknown', needs: { files: [], folders: [], ...needs } };
  });
  const baseline = await commits.last(file as never);
  const comparison = await comparing({ execute } as never)({ uri: file } as never, baseline, new CancellationTokenSource() as never);
  expect(execute).toHaveBeenCalledTimes(2);
  return { earlier: asked!, message: comparison!.message };
}

test('models of other files are those of the same commit', async () => {
  write('repository/src/top.blif', '.model top\n.end\n');
  write('repository/src/with space.blif', '.model s\n.end\n');
  write('repository/src/notes.txt', 'no circuit');
  write('repository/lib/deep/inv.blif', '# é\n.model inv\n.end\n');
  commit('.');
  write('repository/lib/deep/inv.blif', 'changed');
  write('repository/src/new.blif', 'not tracked');
  write('outside.blif', 'of no repository');
  rmSync(join(folder, 'repository/src/with space.blif'));
  const at = (name: string) => join(folder, name);
  const { earlier, message } = await told({ files: [at('repository/lib/deep/inv.blif'), at('repository/src/new.blif'), at('outside.blif')], folders: [at('repository/src'), at('repository/gone')] });
  const text = (name: string) => earlier.files.find(({ path }) => path === at(name));
  expect(text('repository/lib/deep/inv.blif')).toEqual({ path: at('repository/lib/deep/inv.blif'), text: '# é\n.model inv\n.end\n' });
  expect(text('repository/src/new.blif')).toEqual({ path: at('repository/src/new.blif') });
  expect(text('outside.blif')).toEqual({ path: at('outside.blif'), now: true });
  expect(text('repository/src/with space.blif')?.text).toBe('.model s\n.end\n');
  expect(text('repository/src/top.blif')?.text).toBe('.model top\n.end\n');
  expect(earlier.files).toHaveLength(5);
  expect(earlier.folders).toEqual([at('repository/src'), at('repository/gone')]);
  expect(message).toBe('same function; not in the last commit: new.blif; in no commit of this repository, and taken as it is now: outside.blif');
});

test('without git, without trust and for a file that is not tracked there is a reason', async () => {
  write('repository/src/top.blif', '.model top\n.end\n');
  const top = Uri.file(join(folder, 'repository/src/top.blif')) as never;
  await expect(commits.last(top)).rejects.toThrow('top.blif is in no git repository');
  write('repository/other.blif', '.model other\n.end\n');
  commit('other.blif');
  await expect(commits.last(top)).rejects.toThrow('top.blif is not in the last commit: it is not tracked, or had another name');
  commit('.');
  expect((await commits.last(top)).other.text).toBe('.model top\n.end\n');
  workspace.isTrusted = false;
  await expect(commits.last(top)).rejects.toThrow('in trusted folders only');
  workspace.isTrusted = true;
  configured.set('path', join(folder, 'no', 'git'));
  await expect(commits.last(top)).rejects.toThrow('git is not installed');
  configured.clear();
  await expect(commits.last(Uri.parse('untitled:top.blif') as never)).rejects.toThrow('not a file on this machine');
});

test('a comparison that is refused says which files the commit has not', async () => {
  write('repository/src/top.blif', '.model top\n.end\n');
  commit('.');
  const baseline = await commits.last(Uri.file(join(folder, 'repository/src/top.blif')) as never);
  await baseline.tell!({ files: [join(folder, 'repository/src/new.blif')], folders: [] });
  const execute = vi.fn(async () => {
    throw new Refusal('there is no model new');
  });
  const compared = comparing({ execute } as never)({ uri: Uri.file('/x') } as never, baseline, new CancellationTokenSource() as never);
  await expect(compared).rejects.toThrow('there is no model new; not in the last commit: new.blif');
});
