import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Checks } from '../../src/checks';
import { StatusModel, countsOf } from '../../src/status';
import { StatusBar, tooltip } from '../../src/statusBar';
import { isAbout } from '../../src/pages';
import { table, words } from '../../src/summary';
import { bad, delta, uri, whole } from './statuses';
import { configure, configured, EventEmitter, events, Uri, window, workspace } from './vscode';

const item = { text: '', tooltip: undefined as unknown, command: '', accessibilityInformation: { label: '' }, show: vi.fn(), hide: vi.fn(), dispose: vi.fn() };
const server = { execute: vi.fn(async (): Promise<unknown> => null) };
let model: StatusModel;
let checks: Checks;
let state: 'starting' | 'running' | 'stopped';
let changed: EventEmitter<void>;
let bar: StatusBar;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  configured.clear();
  window.createStatusBarItem.mockReturnValue(item);
  window.activeTextEditor = { document: { uri: Uri.parse(uri), languageId: 'aiger' } };
  model = new StatusModel();
  checks = new Checks(server as never, model);
  state = 'running';
  changed = new EventEmitter<void>();
  bar = new StatusBar(model, checks, {
    get state() {
      return state;
    },
    onDidChangeState: changed.event,
  } as never);
  return () => {
    bar.dispose();
    window.activeTextEditor = undefined;
    vi.useRealTimers();
  };
});

function apply(params: ReturnType<typeof whole>): void {
  model.apply(params);
  vi.advanceTimersByTime(200);
}

const mixed = [
  bad(0, { verdict: 'proved' }),
  bad(1, { verdict: 'proved', freshness: 'stale' }),
  bad(2, { verdict: 'refuted' }),
  bad(3, { freshness: 'queued' }),
  bad(4, { freshness: 'running' }),
];

test('counts the verdicts of the active file', () => {
  expect(bar.text).toBe('$(loading~spin) reading…');
  apply(whole(mixed));
  expect(bar.text).toBe('$(sync~spin) 1 proved, 1 refuted, 1 stale, 1 being checked, 1 queued');
  expect(item.accessibilityInformation.label).toBe('aiglens: 1 proved, 1 refuted, 1 stale, 1 being checked, 1 queued');
  apply(whole([bad(0), bad(1)]));
  expect(bar.text).toBe('$(circuit-board) 2 not checked');
});

test('says of covers what the lens says of them', () => {
  const cover = (index: number, more: object) => ({ ...bad(index, more), property: `cover:${index}` as const });
  apply(whole([bad(0, { verdict: 'proved' }), cover(0, { verdict: 'refuted', standing: 'passed' }), cover(1, { verdict: 'proved', standing: 'failed' }), cover(2, { verdict: 'unknown', standing: 'open' })]));
  expect(bar.text).toBe('$(circuit-board) 1 proved, 1 reached, 1 never reached, 1 unknown');
});

test('while a panel has the focus it is about the circuit beside it', () => {
  apply(whole(mixed));
  const text = bar.text;
  window.visibleTextEditors = [window.activeTextEditor];
  onTestFinished(() => {
    window.visibleTextEditors = [];
  });
  window.activeTextEditor = undefined;
  events.activeEditor.fire(undefined);
  expect(bar.text).toBe(text);
  // The text of the output is an editor too, outside of the columns.
  window.activeTextEditor = { document: { uri: Uri.parse('output:aiglens'), languageId: 'log' } };
  events.activeEditor.fire(undefined);
  expect(bar.text).toBe(text);
  window.activeTextEditor = undefined;
  window.visibleTextEditors = [];
  events.visibleEditors.fire([]);
  expect(bar.text).toBe('$(sync~spin) 2');
});

test('a panel in the place of its circuit does not hide the verdicts', () => {
  apply(whole(mixed));
  const text = bar.text;
  let changed = () => {};
  const panel = { active: true, onDidChangeViewState: (run: () => void) => (changed = run), onDidDispose: (run: () => void) => onTestFinished(run) };
  isAbout(panel as never, () => ({ uri }));
  window.activeTextEditor = undefined;
  changed();
  expect(bar.text).toBe(text);
  panel.active = false;
  changed();
  expect(bar.text).toBe('$(sync~spin) 2');
});

test('many messages are one change', () => {
  apply(whole(mixed));
  item.show.mockClear();
  for (let depth = 0; depth < 50; depth++) model.apply(delta([bad(4, { freshness: 'running', depth })]));
  vi.advanceTimersByTime(200);
  expect(item.show).toHaveBeenCalledOnce();
});

test('elsewhere it shows what runs, and nothing when nothing does', () => {
  apply(whole(mixed));
  window.activeTextEditor = undefined;
  events.activeEditor.fire(undefined);
  expect(bar.text).toBe('$(sync~spin) 2');
  apply(whole([bad(0, { verdict: 'proved' })]));
  expect(bar.text).toBeUndefined();
});

test('shows at once that stopping was understood, until the server tells what became of it', async () => {
  apply(whole(mixed));
  let answer = (_: unknown) => {};
  server.execute.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const stopped = checks.stop();
  expect(bar.text).toBe('$(loading~spin) stopping…');
  expect(server.execute).toHaveBeenCalledWith('aiglens.stop', {});
  answer(null);
  await stopped;
  expect(bar.text).toBe('$(loading~spin) stopping…');
  model.apply(delta([bad(3), bad(4)]));
  await vi.advanceTimersByTimeAsync(200);
  expect(bar.text).toBe('$(circuit-board) 1 proved, 1 refuted, 1 stale, 2 not checked');
});

test('a stop that changes nothing, or is refused, leaves no trace', async () => {
  apply(whole([bad(0, { verdict: 'proved' })]));
  await checks.stop({ uri });
  await vi.advanceTimersByTimeAsync(2000);
  expect(bar.text).toBe('$(circuit-board) 1 proved');
  server.execute.mockRejectedValueOnce(new Error('no'));
  await expect(checks.stop({ uri })).rejects.toThrow('no');
  expect(bar.text).toBe('$(circuit-board) 1 proved');
});

test('goes with its setting and with the server', () => {
  apply(whole(mixed));
  configure('statusBar.enabled', false);
  expect(bar.text).toBeUndefined();
  configure('statusBar.enabled', true);
  expect(bar.text).toBeDefined();
  model.clear();
  expect(bar.text).toBe('$(loading~spin) reading…');
});

test('tells properties that are announced from those that have a row', () => {
  apply({ ...whole([]), without: { why: '' }, unwritten: '1 property announced; its row is not written yet' });
  expect(bar.text).toBe('$(circuit-board) 1 property announced');
  expect(item).toMatchObject({ tooltip: '1 property announced; its row is not written yet.', command: 'aiglens.explainNoProperties' });
  apply({ ...whole([bad(0, { verdict: 'proved' })]), unwritten: '2 properties announced, 1 found; 1 row is not written yet' });
  expect(bar.text).toBe('$(circuit-board) 1 proved');
  expect(item).toMatchObject({ tooltip: { value: expect.stringContaining('1 row is not written yet') } });
  apply(whole([bad(0, { verdict: 'proved' })]));
  expect(item).toMatchObject({ tooltip: { value: expect.not.stringContaining('not written') } });
});

test('says where there is nothing to count why', () => {
  apply({ ...whole([]), without: { why: 'the model has no outputs' } });
  expect(bar.text).toBe('$(circuit-board) no properties: why?');
  expect(item).toMatchObject({ command: 'aiglens.explainNoProperties', tooltip: 'This file has no properties: the model has no outputs.' });
  state = 'stopped';
  changed.fire();
  expect(bar.text).toBe('$(debug-disconnect) server not running');
  expect(item.command).toBe('aiglens.restartServer');
  state = 'running';
  changed.fire();
  apply(whole([bad(0)]));
  expect(bar.text).toBe('$(circuit-board) 1 not checked');
  expect(item.command).toBe('aiglens.showStatus');
});

test('is paused where checks wait to be asked for, as long as there is something to check', () => {
  configure('check.trigger', 'manual');
  apply(whole([bad(0), bad(1, { verdict: 'proved', freshness: 'stale' })]));
  expect(bar.text).toBe('$(debug-pause) paused: 1 stale, 1 not checked');
  expect((item.tooltip as { value: string }).value).toContain('aiglens.check.trigger');
  apply(delta([bad(0, { freshness: 'running' })]));
  expect(bar.text).toBe('$(sync~spin) 1 stale, 1 being checked');
  apply(whole([bad(0, { verdict: 'proved' })]));
  expect(bar.text).toBe('$(circuit-board) 1 proved');
});

test('nothing is shown beside other files', () => {
  window.activeTextEditor = { document: { uri: Uri.parse('file:///notes.md'), languageId: 'markdown' } };
  events.activeEditor.fire(undefined);
  expect(bar.text).toBeUndefined();
});

test('the tooltip names what needs the user first and offers to stop', () => {
  apply(whole(mixed));
  const file = model.file(uri)!;
  const text = tooltip(file, countsOf(file)).value;
  expect(text).toContain('counter.aag** · 1 proved, 1 refuted');
  expect(text).toContain('command:aiglens.stopAllChecks');
  const names = [...text.matchAll(/^\| (?:<span [^>]*>)?\$\((\S+?)\)(?:<\/span>)? \| (.*?) \| &nbsp; (.*) \|$/gm)].map(([, icon, name, said]) => [icon, name, said]);
  expect(names).toEqual([
    ['error', 'bad 2', 'refuted'],
    ['sync~spin', 'bad 4', 'checking · depth 3'],
    ['history', 'bad 1', 'stale · proved'],
    ['watch', 'bad 3', 'queued'],
    ['pass', 'bad 0', 'proved'],
  ]);
});

test('the table of a thousand properties ends, and names cannot break it', () => {
  const many = whole([...Array(1000).keys()].map((index) => bad(index, { name: `a|b[${index}]*`, verdict: 'proved' })));
  model.apply(many);
  const lines = table(model.file(uri)!).split('\n');
  expect(lines.length).toBeLessThan(25);
  expect(lines[2]).toContain('$(pass)</span> | a\\|b\\[0\\]\\* | &nbsp; proved |');
  expect(lines.at(-1)).toContain('and 984 more');
});

test('what there is none of is left out', () => {
  const counts = { proved: 12, refuted: 1, reached: 0, unreached: 0, unknown: 2, stale: 0, none: 0, queued: 2, running: 1 };
  expect(words(counts)).toBe('12 proved, 1 refuted, 2 unknown, 1 being checked, 2 queued');
});

test('a folder that is not trusted is said to be one, and how that is changed', () => {
  workspace.isTrusted = false;
  onTestFinished(() => void (workspace.isTrusted = true));
  apply(whole([bad(0)]));
  expect(bar.text).toBe('$(shield) untrusted: nothing is checked');
  expect(item.command).toBe('workbench.trust.manage');
  expect(item.accessibilityInformation.label).toContain('not trusted');
  workspace.isTrusted = true;
  events.trust.fire();
  expect(bar.text).toBe('$(circuit-board) 1 not checked');
  expect(item.command).toBe('aiglens.showStatus');
});
