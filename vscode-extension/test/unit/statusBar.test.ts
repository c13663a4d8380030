import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Checks } from '../../src/checks';
import { StatusModel, countsOf } from '../../src/status';
import { StatusBar, tooltip } from '../../src/statusBar';
import { summary, table, words } from '../../src/summary';
import { bad, delta, uri, whole } from './statuses';
import { configure, configured, events, Uri, window, workspace } from './vscode';

const item = { text: '', tooltip: undefined as unknown, command: '', accessibilityInformation: { label: '' }, show: vi.fn(), hide: vi.fn(), dispose: vi.fn() };
const server = { execute: vi.fn(async (): Promise<unknown> => null) };
let model: StatusModel;
let checks: Checks;
let bar: StatusBar;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  configured.clear();
  window.createStatusBarItem.mockReturnValue(item);
  window.activeTextEditor = { document: { uri: Uri.parse(uri) } };
  model = new StatusModel();
  checks = new Checks(server as never, model);
  bar = new StatusBar(model, checks);
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
  expect(bar.text).toBeUndefined();
  apply(whole(mixed));
  expect(bar.text).toBe('$(pass) 1 $(error) 1 $(history) 1 $(sync~spin) 2');
  expect(item.accessibilityInformation.label).toBe('aiglens: 1 proved, 1 refuted, 1 stale, 1 being checked, 1 queued');
  apply(whole([bad(0), bad(1)]));
  expect(bar.text).toBe('$(circle-large-outline) 2');
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
  expect(bar.text).toBe('$(pass) 1 $(error) 1 $(history) 1 $(circle-large-outline) 2');
});

test('a stop that changes nothing, or is refused, leaves no trace', async () => {
  apply(whole([bad(0, { verdict: 'proved' })]));
  await checks.stop({ uri });
  await vi.advanceTimersByTimeAsync(2000);
  expect(bar.text).toBe('$(pass) 1');
  server.execute.mockRejectedValueOnce(new Error('no'));
  await expect(checks.stop({ uri })).rejects.toThrow('no');
  expect(bar.text).toBe('$(pass) 1');
});

test('goes with its setting and with the server', () => {
  apply(whole(mixed));
  configure('statusBar.enabled', false);
  expect(bar.text).toBeUndefined();
  configure('statusBar.enabled', true);
  expect(bar.text).toBeDefined();
  model.clear();
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

test('words and signs say the same', () => {
  const counts = { proved: 12, refuted: 1, unknown: 2, stale: 0, none: 0, queued: 2, running: 1 };
  expect(summary(counts)).toBe('$(pass) 12 $(error) 1 $(question) 2 $(sync~spin) 3');
  expect(words(counts)).toBe('12 proved, 1 refuted, 2 unknown, 1 being checked, 2 queued');
});

test('a folder that is not trusted is said to be one, and how that is changed', () => {
  workspace.isTrusted = false;
  onTestFinished(() => void (workspace.isTrusted = true));
  apply(whole([bad(0)]));
  expect(bar.text).toBe('$(shield) nothing is checked');
  expect(item.command).toBe('workbench.trust.manage');
  expect(item.accessibilityInformation.label).toContain('not trusted');
  workspace.isTrusted = true;
  events.trust.fire();
  expect(bar.text).toBe('$(circle-large-outline) 1');
  expect(item.command).toBe('aiglens.showStatus');
});
