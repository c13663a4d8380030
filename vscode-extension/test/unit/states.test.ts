// The state graph between server, page and text: steps and states in both directions, nothing of an
// earlier text, no needless search.
import { beforeEach, expect, test, vi } from 'vitest';
import type { StateGraph as Graph } from '../../src/protocol';
import { Refusal } from '../../src/refusal';
import { StateGraph } from '../../src/schematic/states';
import { events, Uri, window } from './vscode';

const uri = 'file:///a.aag';
const position = { line: 3, character: 0 };

function graph(version: number, more: Partial<Graph> = {}): Graph {
  const state = (at: number, values: string, initial: boolean, bad: boolean) => ({ id: `n${at}`, values, words: [], initial, bad, next: [] });
  const states = [state(0, '00', true, false), state(1, '10', false, false), state(2, '11', false, true), state(3, '01', false, false)];
  return { uri, version, property: 'bad:0', position, title: 'States of full', dot: `v${version}`, errors: 0, others: false, latches: ['low', 'high'], words: [], states, path: [0, 1, 0, 2], isCounterexample: true, shown: null, ...more };
}

type Posted = { type: string; at?: string; legend?: { words: string }[]; nodes?: { words: string; tip: string; placed: boolean }[]; marks?: { badge: string; classes: string[]; words: string }[]; look?: number };

async function open(about: object = { uri, property: 'bad:0' }) {
  const execute = vi.fn();
  const posted: Posted[] = [];
  let receive: (message: unknown) => Promise<void> = async () => undefined;
  const webview = { html: '', options: {}, cspSource: 'csp:', asWebviewUri: (one: Uri) => one, onDidReceiveMessage: (run: typeof receive) => (receive = run), postMessage: (message: Posted) => posted.push(message) };
  window.createWebviewPanel.mockReturnValueOnce({ webview, title: '', onDidDispose: vi.fn(), onDidChangeViewState: vi.fn(), dispose: vi.fn(), reveal: vi.fn() });
  let status: (change: { uri: string; sent: object[] }) => void = () => undefined;
  const properties = new Map<string, object>();
  const model = { onDidChange: (run: typeof status) => ((status = run), { dispose: vi.fn() }), file: () => ({ properties }) };
  let step: (shown: { uri: string }) => void = () => undefined;
  const follow = vi.fn();
  const steps = { onDidChange: (run: typeof step) => ((step = run), { dispose: vi.fn() }), follow };
  last = new StateGraph(Uri.parse('file:///extension') as never, { execute }, model as never, steps as never);
  await last.show(about as never);
  const edit = (name = uri) => events.text.fire({ document: { uri: Uri.parse(name), languageId: 'aiger' }, contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n' }] });
  const save = () => events.save.fire({ uri: Uri.parse(uri), languageId: 'aiger' });
  const verdict = (one: object) => (properties.set('bad:0', one), status({ uri, sent: [one] }));
  return { execute, posted, follow, receive: (message: unknown) => receive(message), edit, save, verdict, step: () => step({ uri }) };
}

/** Of the picture that was sent last. */
const count = (posted: { type: string; count?: number }[]) => posted.findLast(({ type }) => type === 'picture')?.count;

let last: StateGraph | undefined;

beforeEach(() => {
  last?.dispose();
  vi.clearAllMocks();
});

test('says starts, failures and the steps of the counterexample, and marks the one that is shown', async () => {
  const { execute, posted, receive, step } = await open();
  execute.mockResolvedValueOnce(graph(1));
  await receive({ type: 'ready' });
  const [first] = posted;
  expect(first?.nodes?.map(({ words }) => words)).toEqual(['state all 0, a start', 'state low', 'state low high, fails here', 'state high']);
  expect(first?.nodes?.map(({ placed }) => placed)).toEqual([true, true, true, false]);
  expect(first?.nodes?.[2]?.tip).toBe('low = 1\nhigh = 1\n(fails here)');
  expect(first?.marks?.map(({ badge }) => badge)).toEqual(['0 2', '1', '3', '']);
  expect(first?.marks?.flatMap(({ classes }) => classes)).toEqual([]);
  expect(first?.legend?.map(({ words }) => words)).toEqual(['4 states', 'start', 'fails', 'counterexample, with its steps']);

  execute.mockResolvedValueOnce(graph(1, { shown: { step: 3, at: 'step 3 of 3: fails' } }));
  step();
  await vi.waitFor(() => expect(posted).toHaveLength(2));
  expect(posted[1]).toMatchObject({ at: 'step 3 of 3: fails', look: 2 });
  expect(posted[1]?.marks?.map(({ words }) => words)).toEqual(['step 0, 2', 'step 1', 'step 3, shown', '']);
  expect(posted[1]?.marks?.map(({ classes }) => classes)).toEqual([[], [], ['current'], []]);
});

test('says words in the place of their bits', async () => {
  const { execute, posted, receive } = await open();
  const states = graph(1).states.map((state, at) => ({ ...state, values: `${state.values}${at % 2}`, words: [`${at}`] }));
  execute.mockResolvedValueOnce(graph(1, { states, latches: ['q[0]', 'q[1]', 'on'], words: [{ name: 'q', latches: [0, 1] }] }));
  await receive({ type: 'ready' });
  const nodes = posted[0]?.nodes ?? [];
  expect(nodes.map(({ words }) => words)).toEqual(['state q = 0, a start', 'state q = 1, on', 'state q = 2, fails here', 'state q = 3, on']);
  expect(nodes.map(({ tip }) => tip)).toEqual(['q = 0\non = 0\n(a start)', 'q = 1\non = 1', 'q = 2\non = 0\n(fails here)', 'q = 3\non = 1']);
});

test('a click on a state of the counterexample goes to its step, of several to the next one', async () => {
  const { execute, receive, follow, edit, step, posted } = await open();
  execute.mockResolvedValueOnce(graph(1));
  await receive({ type: 'ready' });
  await receive({ type: 'go', of: count(posted), node: 0, focus: false });
  expect(follow).toHaveBeenLastCalledWith({ uri, property: 'bad:0', to: '0' });
  execute.mockResolvedValueOnce(graph(1, { shown: { step: 0, at: 'step 0' } }));
  step();
  await vi.waitFor(() => expect(posted).toHaveLength(2));
  await receive({ type: 'go', of: count(posted), node: 0, focus: false });
  expect(follow).toHaveBeenLastCalledWith({ uri, property: 'bad:0', to: '2' });
  await receive({ type: 'go', of: count(posted), node: 3, focus: false }); // beside the path
  edit();
  await receive({ type: 'go', of: count(posted), node: 1, focus: false }); // of an earlier text
  expect(follow).toHaveBeenCalledTimes(2);
});

test('a shortest run is not a counterexample', async () => {
  const { execute, receive, follow, posted } = await open();
  execute.mockResolvedValueOnce(graph(1, { isCounterexample: false }));
  await receive({ type: 'ready' });
  await receive({ type: 'go', of: count(posted), node: 1, focus: false });
  expect(follow).not.toHaveBeenCalled();
  expect(posted[0]?.nodes?.some(({ placed }) => placed)).toBe(false);
  expect(posted[0]?.legend?.at(-1)?.words).toBe('shortest run into a failure, with its steps');
});

test('an edit marks it and ends the search, saving asks for the same property where it stands now', async () => {
  const { execute, receive, edit, save, posted } = await open({ uri, position: { line: 9, character: 4 } });
  execute.mockResolvedValueOnce(graph(1));
  await receive({ type: 'ready' });
  execute.mockReturnValueOnce(new Promise(() => undefined));
  void receive({ type: 'renew' });
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(2));
  const token = execute.mock.lastCall?.[2] as { isCancellationRequested: boolean };
  expect(token.isCancellationRequested).toBe(false);
  edit();
  expect(token.isCancellationRequested).toBe(true);
  const about = { uri, property: 'bad:0', position: { line: 4, character: 0 } };
  expect(posted.at(-1)).toEqual({ type: 'old', kept: { about, title: 'States of full' } });
  execute.mockResolvedValueOnce(graph(2));
  save();
  await vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ type: 'picture', dot: 'v2' }));
  expect(execute.mock.lastCall?.[1]).toEqual(about);
});

test('an edit of another file marks it where models of other files are used', async () => {
  const { execute, receive, edit, posted } = await open();
  execute.mockResolvedValueOnce(graph(1));
  await receive({ type: 'ready' });
  edit('file:///b.blif');
  expect(posted).toHaveLength(1);
  execute.mockResolvedValueOnce(graph(1, { others: true }));
  await receive({ type: 'renew' });
  edit('file:///b.blif');
  expect(posted.at(-1)).toMatchObject({ type: 'old' });
});

test('searches again for another verdict, not for the progress of a check', async () => {
  const { execute, receive, verdict, step } = await open();
  execute.mockResolvedValue(graph(1));
  await receive({ type: 'ready' });
  verdict({ verdict: 'none', freshness: 'fresh', message: '', depth: 1 });
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(2));
  verdict({ verdict: 'none', freshness: 'fresh', message: '', depth: 2 });
  step();
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(3)); // for the step
  verdict({ verdict: 'refuted', freshness: 'fresh', message: 'refuted at step 3', steps: 4 });
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(4));
});

test('whatever comes of a file whose models are in others may be news, not the progress of a check', async () => {
  const { execute, receive, verdict, step } = await open();
  const unchecked = { verdict: 'none', freshness: 'fresh', message: '' };
  execute.mockResolvedValue(graph(1, { others: true }));
  await receive({ type: 'ready' });
  verdict(unchecked);
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(2));
  verdict(unchecked); // another program has changed the other file
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(3));
  verdict({ ...unchecked, freshness: 'running' });
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(4));
  verdict({ ...unchecked, freshness: 'running', depth: 2 });
  step();
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(5)); // for the step
});

test('a verdict that comes while the states are searched is news', async () => {
  const { execute, receive, verdict } = await open();
  let answer: (one: Graph) => void = () => undefined;
  execute.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const asked = receive({ type: 'ready' });
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(1));
  execute.mockResolvedValue(graph(1));
  verdict({ verdict: 'refuted', freshness: 'fresh', message: 'refuted at step 3', steps: 4 });
  answer(graph(1, { isCounterexample: false }));
  await asked;
  await vi.waitFor(() => expect(execute).toHaveBeenCalledTimes(2));
});

test('after a refusal the next edit asks again, and the place is kept', async () => {
  const { execute, receive, edit, posted } = await open();
  execute.mockResolvedValueOnce(graph(1));
  await receive({ type: 'ready' });
  execute.mockRejectedValueOnce(new Refusal('too many states'));
  await receive({ type: 'renew' });
  expect(posted.at(-1)).toEqual({ type: 'nothing', message: 'Too many states.' });
  execute.mockResolvedValueOnce(graph(2));
  edit();
  expect(posted.at(-1)).toMatchObject({ type: 'old', kept: { title: 'States of full' } });
  await vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ type: 'picture', dot: 'v2' }));
});

test('a click on a picture that another has replaced leads nowhere', async () => {
  const { execute, receive, follow, posted } = await open();
  execute.mockResolvedValue(graph(1));
  await receive({ type: 'ready' });
  const earlier = count(posted);
  await receive({ type: 'renew' });
  await receive({ type: 'go', of: earlier, node: 1, focus: false });
  expect(follow).not.toHaveBeenCalled();
});

test('what cannot be drawn is said on the page', async () => {
  const { execute, receive, posted } = await open();
  execute.mockRejectedValueOnce(new Refusal('the states of full cannot be drawn: too many states: runs reach more than 500; Draw Cone shows what it depends on'));
  await receive({ type: 'ready' });
  expect(posted).toEqual([{ type: 'nothing', message: 'The states of full cannot be drawn: too many states: runs reach more than 500; Draw Cone shows what it depends on.' }]);
});
