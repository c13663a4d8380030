// What a comparison rests on beside the text in the editor: the last commit, other files with models,
// the text that is shown beside it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommitLens } from '../../src/comparison/lens';
import { DifferencePanel } from '../../src/comparison/panel';
import { onceRunning, running } from '../../src/comparison/register';
import { SideBySide } from '../../src/comparison/sideBySide';
import { Since } from '../../src/comparison/since';
import { commits } from '../../src/node/lastCommit';
import type { Comparison } from '../../src/protocol';
import { Refusal } from '../../src/refusal';
import { commands, configure, configured, EventEmitter, events, fileWatchers, TabInputTextDiff, Uri, window, workspace } from './vscode';

const same: Comparison = { verdict: 'equal', message: 'same function', pairs: [], alone: [], otherAlone: [], version: 1 };

let folder: string;
let lens: CommitLens | undefined;
const started = new EventEmitter<void>();
const compare = vi.fn(async (): Promise<Comparison | undefined> => same);

function commit(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args], { stdio: 'ignore' });
  git('init', '-q');
  git('add', name);
  git('commit', '-q', '-m', name);
}

function opened(name: string, languageId: string) {
  const document = { uri: Uri.file(join(folder, name)), languageId, version: 1, isDirty: false, isClosed: false, lineCount: 1, getText: () => '' };
  workspace.textDocuments.push(document);
  return document;
}

const edit = (document: unknown) => events.text.fire({ document, contentChanges: [{}] });

function follow(...documents: unknown[]): CommitLens {
  window.visibleTextEditors = documents.map((document) => ({ document }));
  lens = new CommitLens(compare as never, commits, started.event as never);
  return lens;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aiglens-test-'));
  configured.clear();
  configured.set('compare.withLastCommit', true);
  compare.mockReset().mockImplementation(async () => same);
  workspace.textDocuments = [];
});

afterEach(() => {
  lens?.dispose();
  lens = undefined;
  commits.dispose();
  window.visibleTextEditors = [];
  rmSync(folder, { recursive: true, force: true });
});

test('a comparison is stale when another file with models changes, and made again when that is saved', async () => {
  commit('top.blif', '.model top\n.end\n');
  const [top, sub] = [opened('top.blif', 'blif'), opened('sub.blif', 'blif')];
  const lens = follow(top);
  await expect.poll(() => lens.title(top as never)).toBe('same function as HEAD');
  expect(lens.about(top as never)).toBeDefined();

  edit(sub);
  expect(lens.title(top as never)).toBe('stale · same function as HEAD');
  expect(lens.about(top as never)).toBeUndefined();
  events.save.fire(sub);
  await expect.poll(() => lens.title(top as never)).toBe('same function as HEAD');
  expect(compare).toHaveBeenCalledTimes(2);

  fileWatchers.find(({ glob }) => glob === '**/*.{blif,eblif}')!.changed.fire(Uri.file(join(folder, 'other.blif')));
  await expect.poll(() => compare.mock.calls.length).toBe(3);
  await expect.poll(() => lens.title(top as never)).toBe('same function as HEAD');

  fileWatchers.find(({ glob }) => glob === '**/*.{lib,genlib}')!.changed.fire(Uri.file(join(folder, 'cells.genlib')));
  await expect.poll(() => compare.mock.calls.length).toBe(4);
  await expect.poll(() => lens.title(top as never)).toBe('same function as HEAD');
});

test('a file without models of others is compared again only when it is another one', async () => {
  commit('a.aag', 'aag 0 0 0 0 0\n');
  const [a, sub] = [opened('a.aag', 'aiger'), opened('sub.blif', 'blif')];
  const lens = follow(a);
  await expect.poll(() => lens.title(a as never)).toBe('same function as HEAD');
  edit(sub);
  expect(lens.title(a as never)).toBe('same function as HEAD');
});

test('a commit is noticed, also for a file that is not to be seen', async () => {
  commit('a.aag', 'aag 0 0 0 0 0\n');
  const a = opened('a.aag', 'aiger');
  const lens = follow(a);
  await expect.poll(() => lens.title(a as never)).toBe('same function as HEAD');
  // What was compared is watched from then on, so that the next commit is not missed.
  const watching = fileWatchers.find(({ glob }) => (glob as { base?: Uri }).base?.path.endsWith('.git'));
  expect(watching).toBeDefined();
  window.visibleTextEditors = [];
  commit('a.aag', 'aag 1 1 0 0 0\n2\n');
  watching!.changed.fire(Uri.file(join(folder, '.git', 'index')));
  await expect.poll(() => compare.mock.calls.length).toBe(2);
  lens.dispose();
  expect(fileWatchers).toEqual([]);
});

test('a binary file in the last commit is copied once', async () => {
  commit('a.aig', 'aig 0 0 0 0 0\n');
  const file = Uri.file(join(folder, 'a.aig')) as never;
  const { other } = await commits.last(file);
  expect((await commits.last(file)).other.path).toBe(other.path);
  commit('a.aig', 'aig 1 1 0 0 0\n');
  expect((await commits.last(file)).other.path).not.toBe(other.path);
});

test('values beside a text end with an edit of either side, and with one of models', async () => {
  const item = { show: vi.fn(), hide: vi.fn(), dispose: vi.fn() };
  window.createStatusBarItem.mockReturnValue(item);
  window.createTextEditorDecorationType.mockReturnValue({ dispose: vi.fn() });
  const [here, there, sub] = [opened('a.blif', 'blif'), opened('b.blif', 'blif'), opened('sub.blif', 'blif')];
  const editor = (document: unknown) => ({ document, setDecorations: vi.fn(), revealRange: vi.fn() });
  window.visibleTextEditors = [editor(here), editor(there)];
  const sideBySide = new SideBySide();
  const row = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, name: 'x', kind: 'input' as const, values: '0' };
  const different: Comparison = { ...same, verdict: 'different', run: { steps: 1, observed: { name: 'x', values: '0', other: '1' }, here: [row], there: [row] } };
  const shown = () => window.visibleTextEditors.flatMap((one) => sideBySide.textsIn(one as never));
  const open = async (text?: string) => {
    const other = text === undefined ? { path: 'b.blif' } : { text };
    Object.assign(here, { lineAt: () => ({ range: { end: {} } }) });
    Object.assign(there, { lineAt: () => ({ range: { end: {} } }) });
    await sideBySide.open(here as never, { words: 'b', short: 'b', other, ...(text === undefined ? {} : { text }), document: there.uri as never }, different);
    expect(shown()).toEqual(['0: x = 0', '0: x = 0']);
  };
  for (const changed of [here, there, sub]) {
    await open();
    edit(changed);
    expect(shown()).toEqual([]);
  }
  const seen = vi.fn();
  sideBySide.onDidChange(seen);
  await open();
  const diff = (one: { uri: Uri }, other: { uri: Uri }) => events.tabs.fire({ closed: [{ input: new TabInputTextDiff(one.uri, other.uri) }] });
  diff(here, sub);
  expect(shown()).not.toEqual([]);
  diff(there, here);
  expect(shown()).toEqual([]);
  expect(seen.mock.calls).toEqual([['shown'], ['closed']]);
  await open('as compared\n');
  Object.assign(there, { getText: () => 'as compared\r\n' });
  edit(there); // it is loaded
  expect(shown()).not.toEqual([]);
  Object.assign(there, { getText: () => 'another commit' });
  edit(there);
  expect(shown()).toEqual([]);
  sideBySide.dispose();
});

test('a setting has a circuit compared again, whatever its format', async () => {
  commit('a.aag', 'aag 0 0 0 0 0\n');
  const a = opened('a.aag', 'aiger');
  const lens = follow(a);
  await expect.poll(() => lens.title(a as never)).toBe('same function as HEAD');
  a.isDirty = true; // so that it waits
  configure('blif.badOutputs', ['*']);
  expect(lens.title(a as never)).toBe('stale · same function as HEAD');
  a.isDirty = false;
  events.save.fire(a);
  await expect.poll(() => lens.title(a as never)).toBe('same function as HEAD');
  expect(compare).toHaveBeenCalledTimes(2);
});

test('an answer does not stay when the next one fails, or does not come', async () => {
  commit('top.blif', '.model top\n.end\n');
  const [top, sub] = [opened('top.blif', 'blif'), opened('sub.blif', 'blif')];
  const lens = follow(top);
  await expect.poll(() => lens.title(top as never)).toBe('same function as HEAD');
  compare.mockResolvedValueOnce(undefined);
  edit(sub);
  events.save.fire(sub);
  await expect.poll(() => compare.mock.calls.length).toBe(2);
  await expect.poll(() => lens.title(top as never)).toBeUndefined();
  expect(lens.about(top as never)).toBeUndefined();

  events.save.fire(top);
  await expect.poll(() => lens.title(top as never)).toBe('same function as HEAD');
  compare.mockRejectedValueOnce(new Error('no room on the disk'));
  edit(sub);
  events.save.fire(sub);
  await expect.poll(() => lens.title(top as never)).toBe('not compared with HEAD: no room on the disk');

  events.save.fire(top);
  await expect.poll(() => lens.title(top as never)).toBe('same function as HEAD');
  rmSync(join(folder, '.git'), { recursive: true });
  events.save.fire(top);
  await expect.poll(() => lens.title(top as never)).toBe('not compared with HEAD: top.blif is in no git repository');
  expect(lens.about(top as never)).toBeUndefined();
});

test('when the server runs again, what was not compared is, also where it is not to be seen', async () => {
  commit('a.aag', 'aag 0 0 0 0 0\n');
  const a = opened('a.aag', 'aiger');
  compare.mockRejectedValueOnce(new Refusal('the server is not running'));
  const lens = follow(a);
  await expect.poll(() => lens.title(a as never)).toBe('not compared with HEAD: the server is not running');
  window.visibleTextEditors = [];
  started.fire();
  await expect.poll(() => lens.title(a as never)).toBe('same function as HEAD');
});

test('nothing is asked in the background of a server that does not run', async () => {
  const changes = new EventEmitter<void>();
  const server = { state: 'starting' as 'starting' | 'running' | 'stopped', onDidChangeState: changes.event };
  const turn = (state: typeof server.state) => {
    server.state = state;
    changes.fire();
  };
  const again = vi.fn();
  onceRunning(server as never)(again);
  const [first, second] = [running(server as never), running(server as never)];
  turn('starting');
  turn('running');
  turn('running');
  await Promise.all([first, second]);
  expect(again).toHaveBeenCalledTimes(1);
  turn('stopped');
  await expect(running(server as never)).rejects.toThrow('the server is not running');
  turn('running');
  expect(again).toHaveBeenCalledTimes(2);
});

test('after the end nothing more is compared', async () => {
  commit('a.aag', 'aag 0 0 0 0 0\n');
  commit('b.aag', 'aag 0 0 0 0 0\n');
  const [a, b] = [opened('a.aag', 'aiger'), opened('b.aag', 'aiger')];
  let answer = (_: Comparison) => {};
  compare.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  const lens = follow(a, b);
  await expect.poll(() => compare.mock.calls.length).toBe(1);
  lens.dispose();
  answer(same);
  await (lens as unknown as { queue: Promise<void> }).queue;
  expect(compare).toHaveBeenCalledTimes(1);
  expect(lens.title(a as never)).toBeUndefined();
});

const other = (document: { uri: Uri }, path: string) => ({ words: 'b', short: 'b', other: { path }, file: Uri.file(path) as never, document: document.uri as never });

test('what a comparison rests on: both sides, models of either, and files that are not open', () => {
  const [a, b, sub] = [opened('a.aag', 'aiger'), opened('b.blif', 'blif'), opened('sub.blif', 'blif')];
  const of = (act: () => void, baseline = other(b, join(folder, 'b.blif'))) => {
    const since = new Since(a as never, baseline);
    act();
    since.dispose();
    return since.isOver;
  };
  const onDisk = (name: string) => () => {
    for (const { glob, changed } of fileWatchers) if (typeof glob === 'string' || (glob as { pattern?: string }).pattern === name) changed.fire(Uri.file(join(folder, name)));
  };
  expect(of(() => undefined)).toBe(false);
  expect(of(() => edit(a))).toBe(true);
  expect(of(() => edit(b))).toBe(true);
  expect(of(() => edit(sub))).toBe(true); // the other side has models
  expect(of(onDisk('closed.blif'))).toBe(true);
  expect(of(onDisk('sub.blif'))).toBe(false); // it is open: its changes are edits
  const [c, d] = [opened('c.aag', 'aiger'), { uri: Uri.file(join(folder, 'd.aag')) }];
  expect(of(() => edit(c), other(d, join(folder, 'd.aag')))).toBe(false);
  expect(of(() => edit(sub), other(d, join(folder, 'd.aag')))).toBe(false);
  expect(of(onDisk('d.aag'), other(d, join(folder, 'd.aag')))).toBe(true);
  expect(fileWatchers).toEqual([]);
});

test('values end with models on disk, and are not shown for texts that change before', async () => {
  window.createStatusBarItem.mockReturnValue({ show: vi.fn(), hide: vi.fn(), dispose: vi.fn() });
  window.createTextEditorDecorationType.mockReturnValue({ dispose: vi.fn() });
  const [here, there] = [opened('a.aag', 'aiger'), opened('b.blif', 'blif')];
  window.visibleTextEditors = [];
  const sideBySide = new SideBySide();
  const run = { steps: 1, observed: { name: 'x', values: '0', other: '1' }, here: [], there: [] };
  const baseline = other(there, join(folder, 'b.blif'));
  const open = (before?: Since) => sideBySide.open(here as never, baseline, { ...same, verdict: 'different', run }, before);
  expect(await open()).toBe(true);
  expect(sideBySide.about).toBeDefined();
  fileWatchers.find(({ glob }) => typeof glob === 'string')!.changed.fire(Uri.file(join(folder, 'sub.blif')));
  expect(sideBySide.about).toBeUndefined();
  expect(fileWatchers).toEqual([]);

  const before = new Since(here as never, baseline);
  edit(there); // while both are compared
  expect(await open(before)).toBe(false);
  expect(sideBySide.about).toBeUndefined();
  before.dispose();

  commands.executeCommand.mockImplementationOnce(async () => edit(there)); // while both are opened
  expect(await open()).toBe(false);
  expect(sideBySide.about).toBeUndefined();
  expect(fileWatchers).toEqual([]);
  sideBySide.dispose();
});

test('waves of a difference are opened once, and say why they are not exported', async () => {
  let receive = (_: unknown): unknown => undefined;
  const webview = { html: '', options: {}, cspSource: 'csp:', asWebviewUri: (one: Uri) => one, onDidReceiveMessage: (listener: typeof receive) => (receive = listener) };
  window.createWebviewPanel.mockClear().mockReturnValue({ webview, onDidDispose: vi.fn(), onDidChangeViewState: vi.fn(), dispose: vi.fn(), reveal: vi.fn() });
  const save = async () => Promise.reject(new Refusal('no difference is shown'));
  const panel = new DifferencePanel(Uri.parse('file:///extension') as never, { about: {}, onDidChange: () => ({ dispose: vi.fn() }) } as never, save);
  await Promise.all([panel.show(), panel.show()]);
  expect(window.createWebviewPanel).toHaveBeenCalledTimes(1);
  await receive({ type: 'action', action: 'export' });
  expect(window.showWarningMessage).toHaveBeenCalledWith('aiglens: no difference is shown');
  panel.dispose();
});
