// What follows the verdicts beside the text: cursor, history, refuted properties,
// menus.
import { beforeEach, expect, test, vi } from 'vitest';
import { registerCursor } from '../../src/cursor';
import { historyText, historyUri } from '../../src/history';
import { leaving, nextRefuted } from '../../src/navigation';
import { StatusModel } from '../../src/status';
import { followActivity, showStatus } from '../../src/statusMenu';
import { bad, delta, uri, whole } from './statuses';
import { commands, configure, configured, events, Uri, window } from './vscode';

let model: StatusModel;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  model = new StatusModel();
  return () => {
    window.activeTextEditor = undefined;
    vi.useRealTimers();
  };
});

test('the cursor is told before a save, when checks begin to wait, and after a rest while they do', () => {
  const server = { notify: vi.fn() };
  const listener = registerCursor(server, model);
  const document = { uri: Uri.parse(uri) };
  const selection = { active: { line: 4, character: 2 } };
  window.activeTextEditor = { document, selection };
  const move = (line: number) => {
    selection.active = { line, character: 0 };
    events.selection.fire(undefined);
  };

  model.apply(whole([bad(0)]));
  move(5);
  vi.advanceTimersByTime(1000);
  expect(server.notify).not.toHaveBeenCalled();
  events.willSave.fire({ document });
  expect(server.notify).toHaveBeenLastCalledWith('aiglens/cursor', { uri, position: { line: 5, character: 0 } });

  model.apply(delta([bad(0, { freshness: 'queued' })]));
  for (const line of [6, 7, 8]) move(line);
  vi.advanceTimersByTime(1000);
  expect(server.notify).toHaveBeenCalledTimes(2);
  expect(server.notify).toHaveBeenLastCalledWith('aiglens/cursor', { uri, position: { line: 8, character: 0 } });
  events.selection.fire(undefined); // in the same row
  vi.advanceTimersByTime(1000);
  expect(server.notify).toHaveBeenCalledTimes(2);

  model.apply(delta([bad(0)]));
  move(9);
  vi.advanceTimersByTime(1000);
  expect(server.notify).toHaveBeenCalledTimes(2);
  model.apply(delta([bad(0, { freshness: 'queued' })])); // by a command
  expect(server.notify).toHaveBeenLastCalledWith('aiglens/cursor', { uri, position: { line: 9, character: 0 } });
  move(10);
  model.apply(delta([bad(0, { freshness: 'queued' })]));
  expect(server.notify).toHaveBeenCalledTimes(3);
  listener.dispose();
});

test('where hints follow the cursor, each row is told at once', () => {
  const server = { notify: vi.fn() };
  configure('inlayHints.layout', 'cursorLine');
  const listener = registerCursor(server, model);
  const selection = { active: { line: 4, character: 2 } };
  const document = { uri: Uri.parse(uri), languageId: 'aiger' };
  window.activeTextEditor = { document, selection };
  const told = () => server.notify.mock.calls.map(([, { position }]) => position.line);
  for (const line of [4, 5, 5, 6]) {
    selection.active = { line, character: 0 };
    events.selection.fire(undefined);
  }
  expect(told()).toEqual([4, 5, 6]);
  document.languageId = 'markdown';
  selection.active = { line: 7, character: 0 };
  events.selection.fire(undefined);
  configure('inlayHints.layout', 'between');
  events.selection.fire(undefined);
  expect(told()).toEqual([4, 5, 6]);
  document.languageId = 'aiger';
  configure('inlayHints.layout', 'cursorLine'); // where the cursor is already
  expect(told()).toEqual([4, 5, 6, 7]);
  listener.dispose();
  configured.clear();
});

const entry = { time: '2026-03-01T12:34:56Z', property: 'bad:0', name: 'overflow', verdict: 'refuted', message: 'refuted\nat step 4', seconds: 0.123, engine: 'ic3', cached: false, version: 7 } as const;

test('history is a table of one line a verdict', () => {
  const now = new Date().toISOString();
  const text = historyText(uri, [{ ...entry, time: now, name: 'bad 0', verdict: 'proved', cached: true, engine: 'bmc', message: 'proved · 7 clauses · 0.1 s' }, entry, { ...entry, reused: 'lemmas' }]);
  const lines = text.split('\n');
  expect(lines[0]).toBe('Verdicts of counter.aag, the newest first');
  expect(lines[2]).toMatch(/^time +property +verdict +seconds +engine +version$/);
  expect(lines[3]).toMatch(/^\d\d:\d\d:\d\d +bad 0 +proved · 7 clauses +0\.12 +bmc, cached +7$/);
  expect(lines[4]).toMatch(/^2026-03-01 \d\d:\d\d:56 {2}overflow \(bad:0\) {2}refuted at step 4 +0\.12 +ic3 +7$/);
  expect(lines[5]).toMatch(/ic3, earlier lemmas +7$/);
  expect(lines[4]!.indexOf('refuted')).toBe(lines[2]!.indexOf('verdict'));
});

test('a file without history says so', () => {
  expect(historyText(uri, [])).toContain('none yet');
  expect(historyUri(uri).query).toBe(uri);
});

const other = 'file:///circuits/other.aag';
const line = (direction: 1 | -1, from?: { uri: string; line: number }) => {
  const place = nextRefuted([...model.files], direction, from);
  return place && [place.file.uri, place.status.range.start.line];
};

test('refuted properties follow each other through the files and around', () => {
  model.apply(whole([bad(0, { verdict: 'refuted' }), bad(1), bad(3, { verdict: 'refuted', freshness: 'stale' })]));
  model.apply(whole([bad(1, { verdict: 'refuted' })], 1, other));
  expect(line(1, { uri, line: 0 })).toEqual([uri, 10]);
  expect(line(1, { uri, line: 10 })).toEqual([uri, 13]);
  expect(line(1, { uri, line: 13 })).toEqual([other, 11]);
  expect(line(1, { uri: other, line: 11 })).toEqual([uri, 10]);
  expect(line(-1, { uri, line: 13 })).toEqual([uri, 10]);
  expect(line(-1, { uri, line: 10 })).toEqual([other, 11]);
  expect(line(1)).toEqual([uri, 10]);
  model.apply(whole([], 1, other));
  expect(line(1, { uri, line: 13 })).toEqual([uri, 10]);
});

test('the way to another file, or around, is said', () => {
  const at = (of: string, line: number) => ({ file: { uri: of, version: 1, properties: new Map() }, status: bad(line - 10) });
  const here = { uri, line: 12 };
  expect(leaving(at(uri, 14), 1, here)).toBe('');
  expect(leaving(at(uri, 10), 1, here)).toBe('wrapped around: the first refuted property of counter.aag');
  expect(leaving(at(uri, 14), -1, here)).toBe('wrapped around: the last refuted property of counter.aag');
  expect(leaving(at(uri, 12), 1, here)).toBe('no other property of counter.aag is refuted');
  expect(leaving(at('file:///circuits/b.aag', 10), 1, here)).toBe('no further refuted property in counter.aag: this is b.aag');
  expect(leaving(at('file:///circuits/b.aag', 10), 1, undefined)).toBe('');
});

test('without a refuted property there is nowhere to go', () => {
  model.apply(whole([bad(0, { verdict: 'proved' })]));
  expect(line(1, { uri, line: 0 })).toBeUndefined();
});

test('menus know whether something can be stopped', () => {
  const follower = followActivity(model);
  model.apply(whole([bad(0)]));
  model.apply(delta([bad(0, { freshness: 'queued' })]));
  model.apply(delta([bad(0, { freshness: 'running' })]));
  model.clear();
  expect(commands.executeCommand.mock.calls).toEqual([
    ['setContext', 'aiglens.checking', true],
    ['setContext', 'aiglens.checking', false],
  ]);
  follower.dispose();
});

/** The list behind the status bar, of which the first is chosen. */
async function menu(): Promise<string[]> {
  let accept = () => {};
  const pick = {
    items: [] as { label: string }[],
    get selectedItems() {
      return this.items.slice(0, 1);
    },
    onDidAccept: (handler: () => void) => (accept = handler),
    onDidHide: () => {},
    show: () => accept(),
    dispose: () => {},
  };
  window.createQuickPick.mockReturnValue(pick);
  await showStatus(model);
  return pick.items.map(({ label }) => label);
}

test('a click on the status bar offers stopping first while something runs', async () => {
  window.activeTextEditor = { document: { uri: Uri.parse(uri) } };
  model.apply(whole([bad(0, { verdict: 'refuted' }), bad(1, { freshness: 'running' })]));
  const labels = await menu();
  expect(labels[0]).toBe('Stop All Checks');
  expect(labels).toContain('Recheck Failed Properties');
  expect(labels.slice(-2)).toEqual(['$(error) bad 0', '$(sync~spin) bad 1']);
  expect(commands.executeCommand).toHaveBeenCalledWith('aiglens.stopAllChecks');
});

test('it offers a check when nothing runs', async () => {
  window.activeTextEditor = { document: { uri: Uri.parse(uri) } };
  model.apply(whole([bad(0)]));
  expect((await menu())[0]).toBe('Check All Properties of the File');
  expect(commands.executeCommand).toHaveBeenCalledWith('aiglens.checkFile');
});
