// The tree of causes, and places that move with the text.
import { beforeEach, expect, test, vi } from 'vitest';
import * as protocol from '../../src/protocol';
import { Steps } from '../../src/counterexample/steps';
import { movePosition, moveRange } from '../../src/counterexample/tracked';
import { type CauseNode, described, nodeFrom, Why } from '../../src/counterexample/why';
import { Refusal } from '../../src/refusal';
import { StatusModel } from '../../src/status';
import { events, TreeItemCollapsibleState, window } from './vscode';

const uri = 'file:///a.aag';
const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 1 } });

function cause(name: string, step: number, more: Partial<protocol.Cause> = {}): protocol.Cause {
  return { name, value: '1', step, at: `step ${step}`, signal: 2 * step, reason: '', location: { uri, range: range(step) }, causes: [], ...more };
}

const full = cause('full', 3, {
  causes: [
    cause('low', 3, { causes: [cause('push', 2, { reason: 'input', location: null })] }),
    cause('high', 2, { cut: true }),
    cause('low', 3, { repeated: true }),
  ],
});

function started(answers: (protocol.Cause | undefined)[]) {
  window.createStatusBarItem.mockReturnValue({ hide: vi.fn(), show: vi.fn() });
  const tree: Record<string, unknown> = { dispose: vi.fn(), reveal: vi.fn() };
  window.createTreeView.mockReturnValue(tree as never);
  const server = { execute: vi.fn(async (): Promise<unknown> => answers.shift()), listen: vi.fn() };
  const model = new StatusModel();
  const why = new Why(server as never, model, new Steps(server as never, model));
  return { why, server, tree, model };
}

beforeEach(() => vi.clearAllMocks());

test('is lazy: what was cut is asked for by its signal and step', async () => {
  const { why, server } = started([full, cause('high', 2, { causes: [cause('low', 1)] })]);
  await why.fails({ uri, property: 'bad:0' });
  expect(server.execute).toHaveBeenCalledWith(protocol.why, { uri, property: 'bad:0' });
  const [root] = (await why.getChildren()) as [CauseNode];
  const [low, high, again] = (await why.getChildren(root)) as [CauseNode, CauseNode, CauseNode];
  expect(server.execute).toHaveBeenCalledTimes(1);
  expect([low, high, again].map((node) => why.getTreeItem(node as never).collapsibleState)).toEqual([
    TreeItemCollapsibleState.Collapsed,
    TreeItemCollapsibleState.Collapsed,
    TreeItemCollapsibleState.None,
  ]);
  const more = await why.getChildren(high);
  expect(server.execute).toHaveBeenLastCalledWith(protocol.why, { uri, property: 'bad:0', signal: 4, step: 2 });
  expect(more.map(({ cause }) => cause.name)).toEqual(['low']);
  await why.getChildren(high);
  expect(server.execute).toHaveBeenCalledTimes(2);
  expect(why.getParent(more[0]!)).toBe(high);
});

test('an entry says value, step and reason', () => {
  const root = nodeFrom(full, undefined);
  const [low, , again] = root.children!;
  expect([root, low!.children![0]!, again!].map(described)).toEqual(['= 1 · step 3', '= 1 · step 2 · input, no longer in the text', '= 1 · step 3 · causes as above']);
});

test('an entry leads to its place and shows its step; once the text is another one it leads to where the place is now', async () => {
  const { why, server, tree } = started([full]);
  await why.fails({ uri, property: 'bad:0' });
  const high = why.root!.children![1]!;
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  await why.goTo(high);
  expect(server.execute).toHaveBeenLastCalledWith(protocol.step, { uri, property: 'bad:0', to: '2' });
  expect(window.showTextDocument.mock.calls[0]![1].selection.start.line).toBe(2);

  server.execute.mockClear();
  events.text.fire({ document: { uri: { toString: () => uri } }, contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: 'new\nlines\n' }] });
  expect(tree['message']).toContain('The text has changed');
  await why.goTo(high);
  expect(server.execute).not.toHaveBeenCalled();
  expect(window.showTextDocument.mock.calls[1]![1].selection.start.line).toBe(4);
  expect(await why.getChildren(high)).toEqual([]);

  await why.goTo(why.root!.children![0]!.children![0]!);
  expect(window.showInformationMessage).toHaveBeenCalledWith(expect.stringContaining('no longer defines push'));
});

test('of a run that is played: entries show steps in its panel; another run leaves the causes of the run before', async () => {
  const { why, server, tree } = started([full, cause('high', 2), full]);
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  const run = { circuit: 'c', steps: 4, inputs: [{ name: 'go', values: '0011' }], latches: [] };
  const panel = {};
  const show = vi.fn();
  await why.ofRun({ panel, uri, signal: 6, run, show }, 3);
  expect(server.execute).toHaveBeenLastCalledWith(protocol.playWhy, { uri, run, signal: 6, step: 3 });
  expect(tree['description']).toBe('the run that is played');
  const high = why.root!.children![1]!;
  await why.getChildren(high);
  expect(server.execute).toHaveBeenLastCalledWith(protocol.playWhy, { uri, run, signal: 4, step: 2 });
  await why.goTo(high);
  expect(show.mock.calls).toEqual([[2]]);

  why.followRun({}, { ...run, steps: 5 }); // of another panel
  why.followRun(panel, { ...run });
  expect(why.stale).toBe(false);
  const other = { ...run, inputs: [{ name: 'go', values: '0111' }] };
  why.followRun(panel, other);
  expect(tree['message']).toContain('The run has changed');
  await why.goTo(high);
  expect(show).toHaveBeenCalledTimes(1);
  await why.refresh();
  expect(server.execute).toHaveBeenLastCalledWith(protocol.playWhy, { uri, run: other, signal: 6, step: 3 });
  expect(why.stale).toBe(false);
  why.followRun(panel, { ...other, circuit: 'd' });
  expect(why.stale).toBe(true);
  await why.refresh(); // a signal has its number in one circuit
  expect(server.execute).toHaveBeenLastCalledWith(protocol.playWhy, { uri, run: other, signal: 6, step: 3 });
});

test('a run that is no longer played leaves its causes, outdated; they lead to their places still', async () => {
  const { why, server, tree, model } = started([full, full, full]);
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  const panel = {};
  const show = vi.fn();
  const played = { panel, uri, signal: 6, run: { circuit: 'c', steps: 4, inputs: [], latches: [] }, show };
  await why.ofRun(played, 3);
  why.forgetRun({}); // another panel
  expect(why.stale).toBe(false);
  why.forgetRun(panel);
  expect(tree['message']).toContain('no longer played');
  await why.goTo(why.root!);
  expect(show).not.toHaveBeenCalled();
  expect(window.showTextDocument).toHaveBeenCalledTimes(1);
  await why.refresh();
  expect(window.showInformationMessage).toHaveBeenCalledWith(expect.stringContaining('no longer played'));
  expect(server.execute).toHaveBeenCalledTimes(1);

  // A place is shown also where its step cannot be.
  await why.fails({ uri, property: 'bad:0' });
  server.execute.mockRejectedValueOnce(new Refusal('there is no counterexample'));
  await expect(why.goTo(why.root!)).rejects.toThrow('no counterexample');
  expect(window.showTextDocument).toHaveBeenCalledTimes(2);

  // The server is gone, and its runs with it: to ask again is to ask for a counterexample.
  await why.ofRun(played, 3);
  window.showInformationMessage.mockClear();
  model.clear();
  await why.refresh();
  expect(window.showInformationMessage).toHaveBeenCalledWith(expect.stringContaining('no counterexample'));
});

test('an edit while the answer is awaited moves its places, and leaves it outdated', async () => {
  const { why, server, tree } = started([]);
  let answer: (cause: protocol.Cause) => void = () => {};
  server.execute.mockImplementation(() => new Promise((resolve) => (answer = resolve)));
  const insertAbove = () => events.text.fire({ document: { uri: { toString: () => uri } }, contentChanges: [edit([0, 0], [0, 0], '\n')] });
  const run = { circuit: 'c', steps: 4, inputs: [], latches: [] };
  const ways = [() => why.fails({ uri, property: 'bad:0' }), () => why.ofRun({ panel: {}, uri, signal: 6, run, show: vi.fn() }, 3)];
  for (const ask of ways) {
    const asked = ask();
    insertAbove();
    answer(full);
    await asked;
    expect(why.stale).toBe(true);
    expect(tree['message']).toContain('The text has changed');
    expect(why.root!.location!.range.start.line).toBe(4);
    expect(why.root!.children![1]!.location!.range.start.line).toBe(3);
  }

  // The same for causes that are asked for later.
  const again = why.fails({ uri, property: 'bad:0' });
  answer(full);
  await again;
  expect(why.stale).toBe(false);
  const more = why.getChildren(why.root!.children![1]!);
  insertAbove();
  answer(cause('high', 2, { causes: [cause('low', 1)] }));
  expect((await more).map(({ location }) => location?.range.start.line)).toEqual([2]);
});

const edit = (from: [number, number], to: [number, number], text: string) => ({
  range: { start: { line: from[0], character: from[1] }, end: { line: to[0], character: to[1] } },
  text,
});

test.each([
  ['before an edit', { line: 1, character: 2 }, edit([1, 3], [1, 4], 'x'), { line: 1, character: 2 }],
  ['after one in its line', { line: 1, character: 6 }, edit([1, 3], [1, 4], 'abc'), { line: 1, character: 8 }],
  ['after a new line', { line: 1, character: 6 }, edit([1, 3], [1, 4], 'ab\ncd'), { line: 2, character: 4 }],
  ['after lines that went', { line: 5, character: 1 }, edit([1, 0], [3, 0], ''), { line: 3, character: 1 }],
  ['at the beginning of what is replaced', { line: 1, character: 3 }, edit([1, 3], [1, 5], 'ab'), { line: 1, character: 3 }],
  ['within what is gone', { line: 2, character: 3 }, edit([1, 0], [3, 0], ''), undefined],
])('a position %s', (_, at, by, to) => {
  expect(movePosition(at, by)).toEqual(to);
});

test('edits of one change are applied one after the other', () => {
  expect(moveRange(range(5), [edit([3, 0], [4, 0], ''), edit([0, 0], [0, 0], '\n\n')])).toEqual(range(6));
  expect(moveRange(range(5), [edit([5, 0], [6, 0], '')])).toBeUndefined();
  expect(moveRange(range(5), [edit([5, 0], [5, 1], '17')])?.start).toEqual({ line: 5, character: 0 });
});
