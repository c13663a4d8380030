// The tree of what a proof says, as it is asked for and once the text is another one.
import { beforeEach, expect, test, vi } from 'vitest';
import * as protocol from '../../src/protocol';
import { ProofTree } from '../../src/proofTree';
import { StatusModel } from '../../src/status';
import { events, TreeItemCollapsibleState, window, workspace } from './vscode';

const uri = 'file:///a.aag';
const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 1 } });
const latch = (name: string, line: number): protocol.FactLatch => ({ name, location: { uri, range: range(line) } });

const proof: protocol.Answer = {
  property: 'bad:0',
  version: 1,
  name: 'never',
  circuit: 'c1',
  text: '',
  links: [],
  topics: [
    { title: 'constant latches', facts: [{ kind: 'constant', text: 'q is always 0', latches: [latch('q', 2)] }] },
    { title: 'about full', latch: 'full', facts: [{ kind: 'clause', text: 'full → ¬empty', latches: [latch('full', 3), latch('empty', 4)] }] },
    { title: 'words', facts: [{ kind: 'word', text: 'n is at most 2', latches: [latch('n[1]', 1), latch('n[0]', 0)] }] },
  ],
};

function started(answers: unknown[]) {
  const view: Record<string, unknown> = { dispose: vi.fn(), reveal: vi.fn() };
  window.createTreeView.mockReturnValue(view as never);
  const server = { execute: vi.fn(async (): Promise<unknown> => answers.shift()) };
  const model = new StatusModel();
  return { tree: new ProofTree(server as never, model), server, view, model };
}

const edit = (at: string) =>
  events.text.fire({ document: { uri: { toString: () => at } }, contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: 'new\nlines\n' }] });

const status = (verdict: protocol.Verdict, freshness: protocol.Freshness, others: object = {}) =>
  ({ uri, version: 1, whole: true, properties: [{ property: 'bad:0', name: 'never', verdict, freshness, circuit: freshness === 'stale' ? undefined : 'c1', range: range(0), ...others }] }) as never;

beforeEach(() => vi.clearAllMocks());

test('facts stand below what they refer to, latches below facts, and lead to their rows', async () => {
  const { tree, server } = started([proof]);
  await tree.of({ uri, property: 'bad:0' });
  expect(server.execute).toHaveBeenCalledWith(protocol.proof, { uri, property: 'bad:0' });
  const [, about, words] = tree.getChildren();
  const [word] = tree.getChildren(words);
  expect([word!, ...tree.getChildren(word)].map((node) => tree.getTreeItem(node)).map(({ label, iconPath }) => [label, (iconPath as { id: string }).id])).toEqual([
    ['n is at most 2', 'symbol-numeric'],
    ['n[1]', 'symbol-variable'],
    ['n[0]', 'symbol-variable'],
  ]);
  const [clause] = tree.getChildren(about);
  const [full, empty] = tree.getChildren(clause);
  expect([about, clause, full, empty].map((node) => tree.getTreeItem(node!)).map(({ label, description, collapsibleState }) => [label, description, collapsibleState])).toEqual([
    ['about full', '1', TreeItemCollapsibleState.Expanded],
    ['full → ¬empty', undefined, TreeItemCollapsibleState.Collapsed],
    ['full', 'a.aag, line 4', TreeItemCollapsibleState.None],
    ['empty', 'a.aag, line 5', TreeItemCollapsibleState.None],
  ]);
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  await tree.goTo(empty!);
  expect(window.showTextDocument.mock.calls[0]![1].selection.start.line).toBe(4);
});

test('an edit of the text marks the tree, and its latches lead to where they are now', async () => {
  const { tree, view } = started([proof, proof]);
  await tree.of({ uri, property: 'bad:0' });
  edit('file:///other.aag');
  expect(view['message']).toBe('');
  edit(uri);
  expect(view['message']).toContain('The text has changed');
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  await tree.goTo(tree.topics[0]!.children[0]!.children[0]!);
  expect(window.showTextDocument.mock.calls[0]![1].selection.start.line).toBe(4);
  await tree.refresh();
  expect(view['message']).toBe('');
});

test('a proof that is gone without an edit marks the tree as well, and so does an answer about an earlier text', async () => {
  const { tree, view, model } = started([proof, proof]);
  model.apply(status('proved', 'fresh'));
  await tree.of({ uri, property: 'bad:0' });
  model.apply(status('proved', 'fresh'));
  expect(tree.stale).toBe(false);
  model.apply(status('proved', 'stale'));
  expect([tree.stale, view['message']]).toEqual([true, expect.stringContaining('The text has changed')]);
  (workspace as { textDocuments: unknown[] }).textDocuments = [{ uri: { toString: () => uri }, version: 2 }];
  await tree.refresh();
  expect(tree.stale).toBe(true);
  (workspace as { textDocuments: unknown[] }).textDocuments = [];
});

test('what proofs say of a latch is asked for by its place, and when the server stops nothing is shown', async () => {
  const { tree, server, model, view } = started([{ ...proof, latch: 'full' }, proof]);
  await tree.ofLatch({ document: { uri: { toString: () => uri } }, selection: { active: { line: 3, character: 1 } } } as never);
  expect(server.execute).toHaveBeenCalledWith(protocol.proof, { uri, latch: { line: 3, character: 1 } });
  expect(view['description']).toBe('full in never, a.aag');
  edit(uri);
  await tree.refresh();
  expect(server.execute).toHaveBeenLastCalledWith(protocol.proof, { uri, latch: { line: 5, character: 1 } });
  model.clear();
  expect(tree.getChildren()).toEqual([]);
});

test('an answer that an edit has overtaken leads nowhere, and the place asked about is moved along', async () => {
  const { tree, server } = started([]);
  let answer: (found: unknown) => void = () => {};
  server.execute.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  const asked = tree.ofLatch({ document: { uri: { toString: () => uri } }, selection: { active: { line: 3, character: 1 } } } as never);
  edit(uri);
  (workspace as { textDocuments: unknown[] }).textDocuments = [{ uri: { toString: () => uri }, version: 2 }];
  answer(proof);
  await asked;
  (workspace as { textDocuments: unknown[] }).textDocuments = [];
  expect(tree.stale).toBe(true);
  const empty = tree.topics[1]!.children[0]!.children[1]!;
  expect([tree.getTreeItem(empty).description, tree.getTreeItem(empty).command]).toEqual([undefined, undefined]);
  await tree.goTo(empty);
  expect(window.showTextDocument).not.toHaveBeenCalled();
  await tree.refresh();
  expect(server.execute).toHaveBeenLastCalledWith(protocol.proof, { uri, latch: { line: 5, character: 1 } });
});

test('a proof that is not a list of facts is not said to have no invariant', async () => {
  const { tree, view } = started([{ ...proof, topics: [], text: 'never is proved: no run without end violates it.\n\nranks' }]);
  await tree.of({ uri, property: 'bad:0' });
  expect(view['message']).toBe('never is proved: no run without end violates it. There are no facts to list: “Show Proof of the Property” says why it holds.');
});

test.each([
  ['another circuit', { circuit: 'c2' }],
  ['another name', { name: 'something else' }],
  ['no circuit', { circuit: undefined }],
])('a property that is proved with %s has another proof than the one shown, until the circuit is the shown one again', async (_, others) => {
  const { tree, model, view } = started([proof, proof]);
  model.apply(status('proved', 'fresh'));
  await tree.of({ uri, property: 'bad:0' });
  model.apply(status('proved', 'running'));
  expect(tree.stale).toBe(false);
  model.apply(status('proved', 'fresh', others));
  expect([tree.stale, view['message']]).toEqual([true, expect.stringContaining('The text has changed')]);
  await tree.refresh();
  expect(tree.stale).toBe(true);
  model.apply(status('proved', 'fresh'));
  expect([tree.stale, view['message']]).toEqual([false, '']);
});

test('an edit of a model marks the tree, and latches of an answer that it overtakes lead nowhere', async () => {
  const about = { uri: 'file:///top.blif', property: 'bad:0' as const };
  const models = 'file:///lib.blif';
  const change = () =>
    events.text.fire({ document: { uri: { toString: () => models }, languageId: 'blif' }, contentChanges: [{ range: range(0), text: 'x' }] });
  const ofModel = { ...proof, topics: [{ title: 't', facts: [{ kind: 'constant', text: 'q is always 0', latches: [{ name: 'q', location: { uri: models, range: range(2) } }] }] }] };
  const { tree, server } = started([ofModel]);
  await tree.of(about);
  change();
  expect(tree.stale).toBe(true);
  server.execute.mockImplementationOnce(async () => {
    change();
    return ofModel;
  });
  await tree.of(about);
  expect(tree.stale).toBe(true);
  expect(tree.getTreeItem(tree.topics[0]!.children[0]!.children[0]!).command).toBeUndefined();
});
