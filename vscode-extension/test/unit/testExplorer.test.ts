import { beforeEach, expect, test, vi } from 'vitest';
import { Checks } from '../../src/checks';
import type { LatchTrace, PropertyStatus } from '../../src/protocol';
import { Refusal } from '../../src/refusal';
import { StatusModel } from '../../src/status';
import { Tests } from '../../src/testExplorer';
import { counterexampleText } from '../../src/testRuns';
import { type Controller, fakeController, type Item } from './controller';
import { bad, delta, uri, whole } from './statuses';
import { configure, configured, events, TestRunRequest, Uri, window, workspace } from './vscode';

let model: StatusModel;
let controller: Controller;
let explorer: Tests;
/** What the server would answer to each command; a function, an error or a value. */
let answers: Record<string, unknown>;
let asked: [string, unknown][];

const server = {
  execute: vi.fn(async (command: string, params: unknown) => {
    asked.push([command, params]);
    const answer = answers[command];
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(params) : (answer ?? null);
  }),
};

beforeEach(() => {
  vi.useFakeTimers();
  configured.clear();
  answers = {};
  asked = [];
  workspace.workspaceFolders = undefined;
  workspace.openTextDocument.mockClear();
  workspace.findFiles.mockResolvedValue([]);
  controller = fakeController();
  model = new StatusModel();
  explorer = new Tests(model, new Checks(server as never, model), server as never);
  return () => {
    explorer.dispose();
    vi.useRealTimers();
  };
});

async function apply(params: ReturnType<typeof whole>, wait = 1000): Promise<void> {
  model.apply(params);
  await vi.advanceTimersByTimeAsync(wait);
}

function item(property?: string, of = uri): Item {
  const file = controller.items.get(of);
  const found = property === undefined ? file : file?.children.get(property);
  if (found === undefined) throw new Error(`no item ${property} in ${of}`);
  return found;
}

const latch = (name: string, values: string): LatchTrace => ({ name, values, location: { uri, range: bad(0).range } });

test('an item for each file and each property, in text order, with words', async () => {
  await apply(whole([bad(2, { verdict: 'proved' }), bad(10), bad(1)]));
  expect(controller.items.labels).toEqual(['counter.aag']);
  expect(item().children.labels).toEqual(['bad 2', 'bad 10', 'bad 1']);
  expect(item('bad:2')).toMatchObject({ description: 'proved' });
  expect(item('bad:10').description).toBe('not checked');
});

test('items keep their identity while they change, and go with their properties', async () => {
  await apply(whole([bad(0), bad(1)]));
  const before = item('bad:1');
  await apply(whole([bad(1, { name: 'overflow' })]));
  expect(item('bad:1')).toBe(before);
  expect(before.label).toBe('overflow');
  expect(item().children.size).toBe(1);
  await apply(whole([]));
  expect(controller.items.size).toBe(0);
});

test('several folders have an item each, a file outside of them none', async () => {
  workspace.workspaceFolders = [
    { uri: Uri.parse('file:///circuits'), name: 'work' },
    { uri: Uri.parse('file:///other'), name: 'other' },
  ];
  await apply(whole([bad(0)]));
  await apply(whole([bad(0)], 1, 'file:///other/a.blif'));
  await apply(whole([bad(0)], 1, 'untitled:Untitled-1'));
  expect(controller.items.labels).toEqual(['other', 'Untitled-1', 'work']);
  expect(controller.items.get('folder file:///other')?.children.labels).toEqual(['a.blif']);
  workspace.workspaceFolders = workspace.workspaceFolders.slice(0, 1);
  events.folders.fire(undefined);
  expect(controller.items.labels).toEqual(['a.blif', 'counter.aag', 'Untitled-1']);
});

test('a check that something else began is followed by one run', async () => {
  await apply(whole([bad(0), bad(1), bad(2)]));
  expect(controller.runs).toEqual([]);
  await apply(delta([bad(0, { freshness: 'queued' }), bad(1, { freshness: 'running' }), bad(2, { freshness: 'queued' })]), 150);
  await apply(delta([bad(0, { freshness: 'running' }), bad(1, { verdict: 'proved', seconds: 1.5 })]), 150);
  await apply(delta([bad(0, { verdict: 'refuted', seconds: 0.25 })]), 150);
  expect(controller.log).not.toContain('end');
  await apply(delta([bad(2, { verdict: 'unknown', message: 'unknown: time limit, depth 7' })]));
  expect(controller.runs).toHaveLength(1);
  expect(controller.log).toEqual([
    'enqueued bad:0',
    'started bad:1',
    'enqueued bad:2',
    'started bad:0',
    'passed bad:1 1500',
    'failed bad:0 250',
    'errored bad:2',
    'end',
  ]);
  expect(controller.runs[0]!.messages.map(({ message }) => message)).toEqual(['bad 0 is refuted', 'unknown: time limit, depth 7']);
});

test('a failure has its counterexample', async () => {
  answers['aiglens.latches'] = [latch('sleep', '0011'), latch('q', '1000')];
  await apply(whole([bad(0, { freshness: 'running' })]));
  await apply(delta([bad(0, { verdict: 'refuted' })]));
  const [message] = controller.runs[0]!.messages;
  expect(message?.message).toBe('bad 0 is refuted\n\nsleep  001[1]\nq      100[0]');
  expect(controller.log.slice(-2)).toEqual(['failed bad:0', 'end']);
});

test('of a counterexample that repeats for ever the loop is set apart', () => {
  expect(counterexampleText([{ ...latch('wait', '0010'), loop: 2 }])).toBe('\n\nwait  00(10)ω');
});

test('of a counterexample with many latches the first are shown', () => {
  const lines = counterexampleText([...Array(100).keys()].map((index) => latch(`l${index}`, '01'))).trim().split('\n');
  expect(lines).toHaveLength(25);
  expect(lines.at(-1)).toBe('and 76 more');
});

test('a run asks for the counterexamples of its first failures only', async () => {
  const many = [...Array(200).keys()];
  await apply(whole(many.map((index) => bad(index, { freshness: 'running' }))));
  await apply(delta(many.map((index) => bad(index, { verdict: 'refuted' }))));
  expect(controller.log.filter((line) => line.startsWith('failed'))).toHaveLength(200);
  expect(asked.filter(([command]) => command === 'aiglens.latches')).toHaveLength(50);
});

test('an edit makes results outdated, its undoing gives them back', async () => {
  await apply(whole([bad(0, { freshness: 'running' })]));
  await apply(delta([bad(0, { verdict: 'proved' })]));
  await apply(delta([bad(0, { verdict: 'proved', freshness: 'stale' })]));
  expect(controller.invalidated).toEqual(['bad:0']);
  expect(controller.runs).toHaveLength(1);
  await apply(delta([bad(0, { verdict: 'proved' })]));
  expect(controller.runs).toHaveLength(2);
  expect(controller.runs[1]!.log).toEqual(['passed bad:0', 'end']);
});

test('an error in the text is shown as it is in the lens, and not as fresh', async () => {
  await apply(whole([bad(0, { verdict: 'proved' })]));
  await apply(delta([bad(0, { verdict: 'unknown', freshness: 'stale', message: 'unknown: error on line 3' })]));
  expect(controller.runs.at(-1)!.messages[0]?.message).toBe('unknown: error on line 3');
  expect(controller.invalidated).toEqual(['bad:0']);
});

test('what comes and goes while typing makes no runs', async () => {
  await apply(whole([bad(0, { verdict: 'proved' })]));
  for (let i = 0; i < 5; i++) {
    await apply(delta([bad(0, { verdict: 'unknown', freshness: 'stale' })]), 150);
    await apply(delta([bad(0, { verdict: 'proved' })]), 150);
  }
  await vi.advanceTimersByTimeAsync(1000);
  expect(controller.runs).toHaveLength(1);
});

test('running a property checks it and reports what comes of it', async () => {
  await apply(whole([bad(0), bad(1)]));
  answers['aiglens.properties'] = [bad(0), bad(1, { freshness: 'running' })];
  const run = controller.run(new TestRunRequest([item('bad:1')]));
  await vi.advanceTimersByTimeAsync(100);
  expect(asked[0]).toEqual(['aiglens.check', { uri, property: 'bad:1' }]);
  await apply(delta([bad(1, { verdict: 'proved', seconds: 2 })]));
  await run;
  expect(controller.log).toEqual(['started bad:1', 'passed bad:1 2000', 'end']);
});

test('a run of a file asks once for all of it; what has its verdict already is reported at once', async () => {
  await apply(whole([bad(0, { verdict: 'proved' }), bad(1)]));
  answers['aiglens.properties'] = [bad(0, { verdict: 'proved' }), bad(1, { verdict: 'refuted' })];
  await controller.run(new TestRunRequest([item()]));
  expect(asked.filter(([command]) => command === 'aiglens.check')).toEqual([['aiglens.check', { uri }]]);
  expect(controller.runs[1]!.log).toEqual(['passed bad:0', 'failed bad:1', 'end']);
});

test('a run ends even when its result is the one that was known, which the server does not tell', async () => {
  await apply(whole([bad(0, { verdict: 'refuted' })]));
  let calls = 0;
  answers['aiglens.properties'] = () => [bad(0, calls++ === 0 ? { freshness: 'running' } : { verdict: 'refuted' })];
  const run = controller.run(new TestRunRequest([item('bad:0')]));
  await vi.advanceTimersByTimeAsync(2000);
  await run;
  expect(controller.runs[1]!.log).toEqual(['started bad:0', 'failed bad:0', 'end']);
});

test('what the server refuses is an error of its property and not of the others', async () => {
  await apply(whole([bad(0), bad(1), bad(2)]));
  answers['aiglens.check'] = ({ property }: { property: string }) => {
    if (property === 'bad:0') throw new Refusal('bad:0 cannot be checked: error on line 4');
  };
  answers['aiglens.properties'] = [bad(1, { verdict: 'proved' })];
  await controller.run(new TestRunRequest([item('bad:0'), item('bad:1')]));
  expect(controller.log).toEqual(['errored bad:0', 'passed bad:1', 'end']);
});

test('excluded properties are not checked', async () => {
  await apply(whole([bad(0), bad(1)]));
  answers['aiglens.properties'] = [bad(0, { verdict: 'proved' })];
  await controller.run(new TestRunRequest(undefined, [item('bad:1')]));
  expect(asked[0]).toEqual(['aiglens.check', { uri, property: 'bad:0' }]);
});

test('cancelling ends a run at once, whatever the server does then', async () => {
  await apply(whole([bad(0), bad(1)]));
  answers['aiglens.properties'] = [bad(0, { freshness: 'running' }), bad(1, { freshness: 'queued' })];
  let answer = () => {};
  answers['aiglens.stop'] = () => new Promise<void>((resolve) => (answer = resolve));
  const run = controller.run(new TestRunRequest([item('bad:0'), item('bad:1')]));
  await vi.advanceTimersByTimeAsync(100);
  controller.runs[0]!.cancel();
  expect(controller.log).toEqual(['started bad:0', 'enqueued bad:1', 'skipped bad:0', 'skipped bad:1', 'end']);
  expect(asked.slice(-2)).toEqual([
    ['aiglens.stop', { uri, property: 'bad:0' }],
    ['aiglens.stop', { uri, property: 'bad:1' }],
  ]);
  await apply(delta([bad(0, { freshness: 'running' })])); // said before the stop arrived
  answer();
  await run;
  await apply(delta([bad(0), bad(1)]));
  expect(controller.runs).toHaveLength(1);
  expect(controller.invalidated).toEqual([]);
});

test('cancelling also stops what a save began', async () => {
  await apply(whole([bad(0, { freshness: 'running' })]));
  controller.runs[0]!.cancel();
  expect(asked.at(-1)).toEqual(['aiglens.stop', { uri, property: 'bad:0' }]);
});

test('VS Code knows the rows only where the gutter has no marks of ours', async () => {
  await apply(whole([bad(0)]));
  expect(item('bad:0')).toMatchObject({ range: undefined, uri: undefined });
  controller = fakeController();
  configure('gutter.enabled', false);
  await vi.advanceTimersByTimeAsync(200);
  expect(item('bad:0').range?.start.line).toBe(10);
  expect(item('bad:0').uri?.toString()).toBe(uri);
  await apply(delta([bad(0, { range: bad(5).range })]));
  expect(item('bad:0').range?.start.line).toBe(15);
});

test('a stopped property is skipped, with its older verdict it gets that again', async () => {
  await apply(whole([bad(0, { freshness: 'running' }), bad(1, { verdict: 'proved', freshness: 'running' })]));
  await apply(delta([bad(0), bad(1, { verdict: 'proved', freshness: 'stale' })]));
  expect(controller.log).toEqual(['started bad:0', 'started bad:1', 'skipped bad:0', 'passed bad:1', 'end']);
  expect(controller.invalidated).toEqual(['bad:1']);
});

test('running everything is one check of the workspace, with what has its verdict already', async () => {
  workspace.workspaceFolders = [{ uri: Uri.parse('file:///circuits'), name: 'work' }];
  await apply(whole([bad(0, { verdict: 'proved' }), bad(1)]));
  await apply(whole([bad(0)], 1, 'untitled:Untitled-1'));
  answers['aiglens.checkWorkspace'] = { files: 2 };
  answers['aiglens.properties'] = [bad(0, { verdict: 'refuted' })];
  const run = controller.run(new TestRunRequest());
  await vi.advanceTimersByTimeAsync(50);
  const other = 'file:///circuits/closed.aag';
  await apply(whole([bad(7, { freshness: 'running' })], null, other));
  await apply(delta([bad(1, { freshness: 'queued' })]));
  expect(controller.runs).toHaveLength(2); // the first was of the verdict that was there
  expect(controller.runs[1]!.log).not.toContain('end');
  await apply(delta([bad(7, { verdict: 'proved' })], null, other));
  await apply(delta([bad(1, { verdict: 'unknown' })]));
  await apply(delta([bad(0, { verdict: 'refuted' })], 1, 'untitled:Untitled-1'), 5000);
  await run;
  expect(asked.map(([command, params]) => [command, params])).toContainEqual(['aiglens.checkWorkspace', {}]);
  expect(asked).toContainEqual(['aiglens.check', { uri: 'untitled:Untitled-1' }]);
  const { log } = controller.runs[1]!;
  for (const line of ['started bad:7', 'passed bad:7', 'errored bad:1', 'passed bad:0', 'failed bad:0']) expect(log).toContain(line);
  expect(log.at(-1)).toBe('end');
});

test('circuits of the workspace are listed without being read; a closed one stays', async () => {
  workspace.findFiles.mockResolvedValue([Uri.parse('file:///circuits/a.aag'), Uri.parse(uri)]);
  await controller.resolveHandler?.(undefined);
  expect(controller.items.labels).toEqual(['a.aag', 'counter.aag']);
  expect(workspace.openTextDocument).not.toHaveBeenCalled();
  expect(item().canResolveChildren).toBe(true);
  await apply(whole([bad(0)]));
  expect(item().canResolveChildren).toBe(false);
  await apply(whole([]));
  expect(item().canResolveChildren).toBe(true);
  expect(item().children.size).toBe(0);
  workspace.findFiles.mockResolvedValue([]);
  await controller.refreshHandler?.();
  expect(controller.items.size).toBe(0);
});

test('binary and packed circuits are listed, below the folder of the file, and checked without being opened', async () => {
  const packed = 'file:///circuits/deep/b.AAG.gz';
  workspace.workspaceFolders = [
    { uri: Uri.parse('file:///circuits'), name: 'work' },
    { uri: Uri.parse('file:///other'), name: 'other' },
  ];
  workspace.findFiles.mockResolvedValue([Uri.parse('file:///circuits/a.aig'), Uri.parse(packed)]);
  await controller.resolveHandler?.(undefined);
  const glob = workspace.findFiles.mock.lastCall?.[0];
  for (const extension of ['aag', 'aig', 'aag.gz', 'aig.gz', 'blif', 'eblif']) expect(glob).toMatch(new RegExp(`[{,]${extension}[,}]`));
  const folder = controller.items.get('folder file:///circuits');
  expect(folder?.children.size).toBe(2);
  const file = folder?.children.get(packed);
  expect(file?.canResolveChildren).toBe(false);
  const run = controller.run(new TestRunRequest([file!]));
  await apply(whole([], 1, packed));
  await run;
  expect(workspace.openTextDocument).not.toHaveBeenCalled();
  expect(controller.log).toEqual([`skipped ${packed}`, 'end']);
});

test('a file that is not open is checked without being opened; one without properties is skipped', async () => {
  workspace.findFiles.mockResolvedValue([Uri.parse(uri), Uri.parse('file:///circuits/library.blif')]);
  await controller.resolveHandler?.(undefined);
  answers['aiglens.properties'] = [bad(0, { verdict: 'proved' })];
  const run = controller.run(new TestRunRequest([item(), item(undefined, 'file:///circuits/library.blif')]));
  await apply(whole([bad(0)]), 0);
  await apply(whole([], 1, 'file:///circuits/library.blif'));
  await run;
  expect(workspace.openTextDocument).not.toHaveBeenCalled();
  expect(controller.log).toEqual(['skipped file:///circuits/library.blif', 'passed bad:0', 'end']);
});

test('of a file that is not open what was told last holds, once nothing is on its way', async () => {
  await apply(whole([bad(0, { verdict: 'refuted' })], null));
  answers['aiglens.properties'] = new Refusal('it is not open');
  const run = controller.run(new TestRunRequest([item('bad:0')]));
  await vi.advanceTimersByTimeAsync(500);
  await apply(delta([bad(0, { freshness: 'running' })], null), 5000);
  expect(controller.runs[1]!.log).toEqual(['started bad:0']);
  await apply(delta([bad(0, { verdict: 'refuted' })], null));
  await run;
  await Promise.all([controller.run(new TestRunRequest([item('bad:0')])), vi.advanceTimersByTimeAsync(10_000)]);
  expect(controller.runs[2]!.log).toEqual(['failed bad:0', 'end']);
});

test('when the server ends so do the runs, and nothing is known', async () => {
  await apply(whole([bad(0, { freshness: 'running' })]));
  model.clear();
  expect(controller.log).toEqual(['started bad:0', 'end']);
  expect(controller.items.size).toBe(0);
});

test('a property that is gone keeps no run open', async () => {
  await apply(whole([bad(0, { freshness: 'running' }), bad(1, { freshness: 'running' })]));
  await apply(whole([bad(1, { verdict: 'proved' })]));
  expect(controller.log.at(-1)).toBe('end');
});

test('going to a property shows its row', async () => {
  await apply(whole([bad(3)]));
  window.showTextDocument.mockResolvedValue({ revealRange: () => {} });
  await explorer.explorer?.goTo(item('bad:3') as never);
  expect(window.showTextDocument.mock.calls.at(-1)?.[1].selection.start.line).toBe(13);
});

test('comes and goes with its setting', async () => {
  await apply(whole([bad(0)]));
  configure('tests.enabled', false);
  expect(controller.dispose).toHaveBeenCalled();
  controller = fakeController();
  configure('tests.enabled', true);
  await vi.advanceTimersByTimeAsync(200);
  expect(controller.items.labels).toEqual(['counter.aag']);
});

test('thousands of properties are drawn in batches', async () => {
  const many = (own: Partial<PropertyStatus>) => [...Array(5000).keys()].map((index) => bad(index, own));
  await apply(whole(many({ freshness: 'queued' })));
  const replace = vi.spyOn(item().children, 'replace');
  for (const freshness of ['running', 'queued', 'running'] as const) model.apply(delta(many({ freshness })));
  await apply(delta(many({ verdict: 'proved' })));
  expect(replace).not.toHaveBeenCalled();
  expect(controller.runs).toHaveLength(1);
  expect(controller.log.filter((line) => line.startsWith('passed'))).toHaveLength(5000);
  expect(controller.log.filter((line) => line.startsWith('started'))).toHaveLength(0);
});
