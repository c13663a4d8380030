// The Circuit view between server, page and text: it follows the cursor, and shows the newest answer only.
import { beforeEach, expect, test, vi } from 'vitest';
import type { FromPage, Shown, ToPage } from '../../src/circuit/messages';
import { CircuitView, type Comparing, type Player } from '../../src/circuit/view';
import * as protocol from '../../src/protocol';
import { Radices } from '../../src/radices';
import { Refusal } from '../../src/refusal';
import { commands, EventEmitter, events, Uri, window, workspace } from './vscode';

const uri = 'file:///a.aag';
const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 2 } });
const document = { uri: Uri.parse(uri), languageId: 'aiger', version: 1 };

/** An editor whose cursor is somewhere. */
const editorAt = (line: number, of: { uri: Uri; languageId: string } = document) => ({ document: of, selection: { active: { line, character: 0 } } });

function placeAt(line: number, more: Partial<protocol.Place> = {}): protocol.Place {
  return { uri, version: 1, settled: true, kind: 'gate', range: range(line), title: `**and** ${line}`, signal: null, says: [], diagnostics: [], property: null, now: null, always: null, around: null, ...more };
}

const cause = (signal: number, step: number, more: Partial<protocol.Cause> = {}): protocol.Cause => ({ name: `s${signal}`, value: '1', step, at: `step ${step}`, signal, reason: '', location: { uri, range: range(signal) }, causes: [], ...more });
const now = (more: Partial<protocol.PlaceNow> = {}): protocol.PlaceNow => ({ kind: 'counterexample', property: 'bad:0', name: 'bad', of: 'counterexample of bad', step: 3, steps: 5, words: 'step 3 of 4', value: '1', first: 0, values: '0001', word: null, next: null, previous: null, actions: [], why: null, ...more });

/** What is told of a run that is played. */
const ofPlayed = { kind: 'played', property: '' } as const;

/** A view whose page is there, and what it sends to it. */
function open({ languages = ['aiger'] } = {}) {
  const posted: ToPage[] = [];
  let receive: (message: FromPage) => unknown = () => undefined;
  const answers = vi.fn(async (_: string, params: protocol.AtParams): Promise<unknown> => placeAt(params.position.line));
  const execute = vi.fn(async (): Promise<unknown> => undefined);
  const server = { running: {}, request: answers, execute, onDidChangeState: new EventEmitter<void>().event };
  const known = new EventEmitter<{ uri: string }>();
  const model = { file: (one: string) => (one.endsWith('.sv') && languages.includes('verilog') ? {} : undefined), onDidChange: known.event };
  const shownSteps = new EventEmitter<{ uri: string; property?: string }>();
  const steps = { onDidChange: shownSteps.event, show: vi.fn(async () => undefined), follow: vi.fn(), shownIn: vi.fn((): Partial<protocol.ShownStep> | undefined => undefined) };
  const kept = new Map<string, unknown>();
  const state = { get: (key: string, otherwise: unknown) => kept.get(key) ?? otherwise, update: vi.fn(async (key: string, value: unknown) => void kept.set(key, value)) };
  const playerOf = vi.fn(async (): Promise<Player | undefined> => undefined);
  const view = new CircuitView(Uri.parse('file:///extension') as never, server as never, model as never, steps as never, state as never, playerOf, new Radices(state as never, server as never));
  last = view;
  const webview = { html: '', options: {}, cspSource: 'csp:', asWebviewUri: (one: Uri) => one, onDidReceiveMessage: (run: typeof receive) => (receive = run), postMessage: (message: ToPage) => posted.push(message) };
  const host = { webview, visible: true, show: vi.fn(), onDidChangeVisibility: vi.fn(), onDidDispose: vi.fn() };
  (window.registerWebviewViewProvider.mock.lastCall as unknown as [string, { resolveWebviewView(view: unknown): void }])[1].resolveWebviewView(host);
  receive({ type: 'ready' });
  const move = (editor: unknown) => {
    window.activeTextEditor = editor;
    events.selection.fire({ textEditor: editor });
  };
  return { view, host, posted, answers, execute, steps, shownSteps, known, kept, state, move, playerOf, click: async (message: FromPage) => receive(message) };
}

/** The line of the place that the page shows. */
const lineOf = (posted: readonly ToPage[]) => (posted.findLast(({ type }) => type === 'answer') as ({ count: number } & Shown) | undefined)?.answer.range.start.line;
const countOf = (posted: readonly ToPage[]) => (posted.findLast(({ type }) => type === 'answer') as { count: number }).count;
const shows = (posted: readonly ToPage[], line: number) => vi.waitFor(() => expect(lineOf(posted)).toBe(line));

let last: CircuitView | undefined;

beforeEach(() => {
  last?.dispose();
  vi.clearAllMocks();
  window.activeTextEditor = undefined;
  workspace.textDocuments = [document] as never;
  window.visibleTextEditors = [];
});

test('follows the cursor in circuits, and in Verilog that is checked', async () => {
  const { posted, move, answers } = open({ languages: ['verilog'] });
  move(editorAt(3));
  await shows(posted, 3);
  move(editorAt(9, { uri: Uri.parse('file:///a.md'), languageId: 'markdown' }));
  move(editorAt(5, { uri: Uri.parse('file:///a.sv'), languageId: 'verilog' }));
  await shows(posted, 5);
  expect(answers.mock.calls.map(([, { position }]) => position.line)).toEqual([3, 5]);
});

test('the page is told of a move at once, and a late answer about the place before is not shown', async () => {
  const { posted, move, answers } = open();
  let answerLate: (place: protocol.Place) => void = () => undefined;
  answers.mockImplementationOnce(() => new Promise((resolve) => (answerLate = resolve)));
  move(editorAt(3));
  expect(posted.at(-1)).toEqual({ type: 'moved', isSame: false });
  await vi.waitFor(() => expect(answers).toHaveBeenCalledTimes(1));
  const token = (answers.mock.calls[0] as unknown as [string, unknown, { isCancellationRequested: boolean }])[2];
  move(editorAt(4));
  expect(token.isCancellationRequested).toBe(true);
  await shows(posted, 4);
  answerLate(placeAt(3));
  await new Promise(setImmediate);
  expect(posted.filter(({ type }) => type === 'answer')).toHaveLength(1);
});

test('several moves of one moment are one request', async () => {
  const { posted, move, answers } = open();
  for (const line of [1, 2, 3]) move(editorAt(line));
  await shows(posted, 3);
  expect(answers).toHaveBeenCalledTimes(1);
});

test('an answer about an earlier text is asked for again', async () => {
  const { posted, move, answers } = open();
  workspace.textDocuments = [{ ...document, version: 2 }] as never;
  answers.mockResolvedValueOnce(placeAt(3)).mockResolvedValueOnce(placeAt(3, { version: 2 }));
  move(editorAt(3));
  await shows(posted, 3);
  expect(answers).toHaveBeenCalledTimes(2);
});

test('a step, a status and an edit are news of the same place', async () => {
  const { posted, move, answers, shownSteps, known } = open();
  move(editorAt(3));
  await shows(posted, 3);
  const news = [
    () => shownSteps.fire({ uri, property: 'bad:0' }),
    () => known.fire({ uri }),
    () => events.text.fire({ document, contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n' }] }),
  ];
  for (const [index, happens] of news.entries()) {
    happens();
    expect(posted.at(-1)).toEqual({ type: 'moved', isSame: true });
    await vi.waitFor(() => expect(answers).toHaveBeenCalledTimes(index + 2));
  }
  // The place has moved with the text.
  expect(answers.mock.lastCall![1].position.line).toBe(4);
  shownSteps.fire({ uri: 'file:///b.aag' });
  expect(posted.filter(({ type }) => type === 'moved')).toHaveLength(4);
});

test('many statuses do not put off an answer', async () => {
  const { posted, move, answers, known } = open();
  move(editorAt(3));
  await shows(posted, 3);
  vi.useFakeTimers();
  try {
    for (let time = 0; time < 20; time++) {
      known.fire({ uri });
      await vi.advanceTimersByTimeAsync(20);
    }
    expect(answers.mock.calls.length).toBeGreaterThan(5);
    expect(answers.mock.calls.length).toBeLessThan(12);
  } finally {
    vi.useRealTimers();
  }
});

test('news do not end a request: its answer is shown, and then it is asked once more', async () => {
  const { posted, move, answers, known, shownSteps } = open();
  const counted = () => posted.filter(({ type }) => type === 'answer').length;
  let cancelled = 0;
  answers.mockImplementation((async (_: string, { position }: protocol.AtParams, token: { isCancellationRequested: boolean }) => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (token.isCancellationRequested) cancelled++;
    return token.isCancellationRequested ? undefined : placeAt(position.line);
  }) as never);
  vi.useFakeTimers();
  try {
    move(editorAt(3));
    for (let time = 0; time < 2000; time += 20) {
      await vi.advanceTimersByTimeAsync(20);
      known.fire({ uri });
      shownSteps.fire({ uri, property: 'bad:0' });
    }
    expect(counted()).toBeGreaterThan(15);
    expect(answers.mock.calls.length).toBeLessThanOrEqual(counted() + 1);
    const before = counted();
    await vi.advanceTimersByTimeAsync(1000);
    expect(counted()).toBe(before + 2); // the one on its way, and one with all news
    expect(cancelled).toBe(0);
    // The place decides: what is on its way about another one is of no use.
    known.fire({ uri });
    await vi.advanceTimersByTimeAsync(70);
    move(editorAt(4));
    await vi.advanceTimersByTimeAsync(200);
    expect([lineOf(posted), counted(), cancelled]).toEqual([4, before + 3, 1]);
  } finally {
    vi.useRealTimers();
  }
});

test('news that come before a refusal are asked about', async () => {
  const { posted, move, answers, shownSteps } = open();
  answers.mockImplementationOnce(async () => {
    shownSteps.fire({ uri, property: 'bad:0' });
    await new Promise(setImmediate);
    throw new Refusal('the file is not open');
  });
  move(editorAt(3));
  await shows(posted, 3);
});

test('a view that is not seen asks for nothing', async () => {
  const { host, move, answers, posted } = open();
  host.visible = false;
  move(editorAt(3));
  await new Promise(setImmediate);
  expect(answers).not.toHaveBeenCalled();
  host.visible = true;
  (host.onDidChangeVisibility.mock.calls[0] as unknown as [() => void])[0]();
  await shows(posted, 3);
});

test('a pinned place stays, and moves with the text, until its text is closed', async () => {
  const { view, posted, move, answers } = open();
  move(editorAt(3));
  await shows(posted, 3);
  await view.toggle();
  move(editorAt(8));
  events.text.fire({ document, contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n\n' }] });
  await shows(posted, 5);
  await view.toggle();
  await shows(posted, 8);
  await view.toggle();
  events.close.fire(document);
  expect(view.isPinned).toBe(false);
  expect(posted.findLast(({ type }) => type === 'nothing')).toBeDefined();
  expect(answers.mock.calls.map(([, { position }]) => position.line)).toEqual([3, 5, 8]);
});

test('what is folded is remembered, and no picture is asked for where it is not seen', async () => {
  const { posted, move, answers, click, kept } = open();
  move(editorAt(3));
  await shows(posted, 3);
  expect(answers.mock.lastCall![1]).toMatchObject({ cone: 1 });
  await click({ type: 'fold', section: 'around', isFolded: true });
  expect([...kept.values()]).toEqual([['around']]);
  move(editorAt(4));
  await shows(posted, 4);
  expect(answers.mock.lastCall![1]).not.toHaveProperty('cone');
  await click({ type: 'fold', section: 'around', isFolded: false });
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).toMatchObject({ cone: 1 }));
});

test('a part that is to be in view is unfolded, but not later, nor at another place', async () => {
  const { view, posted, move, answers, kept, known } = open();
  const looks = () => posted.filter(({ type }) => type === 'look');
  let more: Partial<protocol.Place> = { settled: false };
  answers.mockImplementation(async (_, { position }) => placeAt(position.line, more));
  kept.set('aiglens.circuit.folded', ['now']);
  move(editorAt(3));
  await view.lookAt('now');
  await shows(posted, 3);
  more = { now: now() };
  known.fire({ uri });
  await vi.waitFor(() => expect(looks()).toEqual([{ type: 'look', section: 'now' }]));
  expect([...kept.values()]).toEqual([[]]);

  kept.set('aiglens.circuit.folded', ['now']);
  for (const settled of [true, false]) {
    more = { settled };
    const before = countOf(posted);
    await view.lookAt('now');
    await vi.waitFor(() => expect(countOf(posted)).toBeGreaterThan(before));
    more = { now: now() };
    if (settled) known.fire({ uri });
    else move(editorAt(8));
    await vi.waitFor(() => expect(posted.findLast(({ type }) => type === 'answer')).toMatchObject({ answer: { now: { property: 'bad:0' } } }));
    expect(looks()).toHaveLength(1);
  }
  expect([...kept.values()]).toEqual([['now']]);
});

test('formula and picture grow at their place, and begin again at another', async () => {
  const { posted, move, answers, click } = open();
  const signal = { depth: 2 } as protocol.PlaceSignal;
  answers.mockImplementation(async (_, { position }) => placeAt(position.line, { signal }));
  move(editorAt(3));
  await shows(posted, 3);
  await click({ type: 'grow', of: countOf(posted), what: 'formula', by: 1 });
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).toMatchObject({ depth: 3, cone: 1 }));
  await vi.waitFor(() => expect(posted.filter(({ type }) => type === 'answer')).toHaveLength(2));
  await click({ type: 'grow', of: countOf(posted), what: 'cone', by: 1 });
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).toMatchObject({ depth: 3, cone: 2 }));
  move(editorAt(4));
  await shows(posted, 4);
  expect(answers.mock.lastCall![1]).toEqual({ uri, position: { line: 4, character: 0 }, cone: 1 });
});

test('a box of the picture leads to its row, and one where it ends draws another level', async () => {
  const { posted, move, click, answers } = open();
  const node = (id: string, line: number, cut: boolean) => ({ id, name: id, kind: 'and', signals: [line], cut, location: { uri, range: range(line) } });
  const around = { uri, version: 1, title: 'a', dot: '', errors: 0, values: null, nodes: [node('n0', 7, false), node('n1', 9, true)] } as never;
  answers.mockImplementation(async (_, { position }) => placeAt(position.line, { around }));
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  move(editorAt(3));
  await shows(posted, 3);
  await click({ type: 'node', of: countOf(posted), node: 1, focus: true });
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).toMatchObject({ position: { line: 3 }, cone: 2 }));
  await vi.waitFor(() => expect(posted.filter(({ type }) => type === 'answer')).toHaveLength(2));
  await click({ type: 'node', of: countOf(posted), node: 0, focus: true });
  await shows(posted, 7);
});

test('a cause leads to its step and its place, and the way back leads from there', async () => {
  const { posted, move, click, steps, answers } = open();
  answers.mockImplementation(async (_, { position }) => placeAt(position.line, { now: now({ why: cause(7, 2) }) }));
  move(editorAt(3));
  await shows(posted, 3);
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  await click({ type: 'go', of: countOf(posted), path: 'answer.now.why', focus: true });
  expect(steps.show).toHaveBeenCalledWith({ uri, property: 'bad:0', to: '2' });
  expect(window.showTextDocument.mock.lastCall![1].selection).toMatchObject({ start: { line: 7 }, end: { line: 7, character: 0 } });
  await shows(posted, 7);
  await click({ type: 'back' });
  await shows(posted, 3);

  // Whatever becomes of the step.
  steps.show.mockRejectedValueOnce(new Refusal('there is no counterexample'));
  await click({ type: 'go', of: countOf(posted), path: 'answer.now.why', focus: true });
  await shows(posted, 7);
  expect(window.showWarningMessage).toHaveBeenCalledWith('aiglens: there is no counterexample');
});

test('the way back moves with the text, ends with it, and is not offered while a place is pinned', async () => {
  const { view, posted, move, click, answers } = open();
  const canGoBack = () => (posted.findLast(({ type }) => type === 'state') as { canGoBack: boolean }).canGoBack;
  const edit = (start: number, end: number, text: string) => events.text.fire({ document, contentChanges: [{ range: { start: { line: start, character: 0 }, end: { line: end, character: 0 } }, text }] });
  const other = { uri: 'file:///b.aag', range: range(1) };
  const link = async (to: typeof other) => {
    answers.mockImplementation(async (_, { uri: at, position }) => placeAt(position.line, { uri: at, now: now({ why: cause(7, 2, { location: to }) }) }));
    move(editorAt(3));
    await shows(posted, 3);
    await click({ type: 'go', of: countOf(posted), path: 'answer.now.why', focus: true });
    await shows(posted, to.range.start.line);
    expect(canGoBack()).toBe(true);
  };
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });

  await link({ uri, range: range(7) });
  edit(0, 0, '\n\n');
  await shows(posted, 9);
  await view.toggle();
  expect(canGoBack()).toBe(false);
  await click({ type: 'back' });
  await view.toggle();
  move(editorAt(9));
  await shows(posted, 9);
  expect(canGoBack()).toBe(true);
  await click({ type: 'back' });
  await shows(posted, 5);

  await link(other);
  edit(2, 4, '');
  expect(canGoBack()).toBe(false);
  await link(other);
  events.close.fire(document);
  expect(canGoBack()).toBe(false);
});

test('what is clicked in an answer that is no longer shown does nothing', async () => {
  const { posted, move, click } = open();
  const action = { title: 'Check', command: 'aiglens.check', argument: { uri } };
  move(editorAt(3));
  await shows(posted, 3);
  await click({ type: 'run', of: countOf(posted) - 1, path: 'answer.diagnostics.0.fixes.0' });
  expect(commands.executeCommand).not.toHaveBeenCalled();
  last!.shown = { ...last!.shown!, answer: placeAt(3, { diagnostics: [{ severity: 1, code: 'c', message: '', range: range(3), fixes: [action] }] }) };
  await click({ type: 'run', of: countOf(posted), path: 'answer.diagnostics.0.fixes.0' });
  expect(commands.executeCommand).toHaveBeenCalledWith('aiglens.check', { uri });
});

test('causes that were left out are added to the answer that is shown', async () => {
  const { posted, move, click, answers, execute } = open();
  answers.mockImplementation(async (_, { position }) => placeAt(position.line, { now: now({ why: cause(7, 2, { cut: true }) }) }));
  move(editorAt(3));
  await shows(posted, 3);
  execute.mockResolvedValueOnce(cause(7, 2, { causes: [cause(8, 1)] }));
  await click({ type: 'causes', of: countOf(posted), path: 'answer.now.why' });
  expect(execute).toHaveBeenCalledWith(protocol.why, { uri, property: 'bad:0', signal: 7, step: 2 });
  expect(posted.at(-1)).toMatchObject({ type: 'answer', more: [{ tree: 'answer.now.why', signal: 7, step: 2, causes: [{ name: 's8' }] }] });
});

test('why the property of the row fails is asked of its own counterexample, whichever run is shown', async () => {
  const { view, posted, move, click, answers, execute, steps } = open();
  const property = { property: 'bad:0', facts: [], why: cause(7, 2, { cut: true }) } as never;
  const signal = { signal: 6 } as protocol.PlaceSignal;
  answers.mockImplementation(async (_, { position, run }) => placeAt(position.line, { signal, property, now: now({ ...(run === undefined ? { property: 'bad:1' } : ofPlayed), why: cause(7, 2, { cut: true }) }) }));
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  const clickAll = async (path: string) => {
    execute.mockResolvedValueOnce(cause(7, 2, { causes: [cause(8, 1)] }));
    await click({ type: 'causes', of: countOf(posted), path });
    await click({ type: 'go', of: countOf(posted), path: 'more.0.causes.0', focus: true });
  };
  for (const [path, about] of [['answer.property.why', 'bad:0'], ['answer.now.why', 'bad:1']] as const) {
    move(editorAt(3));
    await shows(posted, 3);
    await clickAll(path);
    expect(execute).toHaveBeenLastCalledWith(protocol.why, { uri, property: about, signal: 7, step: 2 });
    expect(steps.show).toHaveBeenLastCalledWith({ uri, property: about, to: '1' });
    await shows(posted, 8);
  }
  move(editorAt(3));
  await shows(posted, 3);
  await click({ type: 'schematic', of: countOf(posted) });
  expect(commands.executeCommand).toHaveBeenCalledWith('aiglens.drawCone', { uri, property: 'bad:0' });

  // While a run is played.
  const show = vi.fn();
  await view.lookAtRun({ panel: {}, uri, run: { circuit: 'c', steps: 4, inputs: [], latches: [] }, show, change: vi.fn() }, 3, { uri, range: range(3) });
  await vi.waitFor(() => expect(posted.findLast(({ type }) => type === 'answer')).toMatchObject({ answer: { now: { property: '' } } }));
  await clickAll('answer.property.why');
  expect(execute).toHaveBeenLastCalledWith(protocol.why, { uri, property: 'bad:0', signal: 7, step: 2 });
  expect(steps.show).toHaveBeenLastCalledWith({ uri, property: 'bad:0', to: '1' });
  expect(show).not.toHaveBeenCalled();
});

test('all that a proof says is listed once it is asked for, also of the next answer', async () => {
  const { view, posted, answers, execute, known } = open();
  const topics = [{ title: 'constant latches', facts: [] }];
  answers.mockImplementation(async (_, { position }) => placeAt(position.line, { property: { property: 'bad:0', facts: ['a is 0'] } as never }));
  execute.mockResolvedValue({ version: 1, topics });
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  await view.lookAtProof({ uri, range: range(3) }, 'bad:0');
  await vi.waitFor(() => expect(posted.findLast(({ type }) => type === 'answer')).toMatchObject({ topics }));
  const before = countOf(posted);
  known.fire({ uri });
  await vi.waitFor(() => expect(countOf(posted)).toBeGreaterThan(before));
  expect(posted.findLast(({ type }) => type === 'answer')).toMatchObject({ topics });
  execute.mockResolvedValue({ version: 2, topics }); // of another text
  known.fire({ uri });
  await vi.waitFor(() => expect(posted.findLast(({ type }) => type === 'answer')).not.toHaveProperty('topics'));
});

test('of a row with several properties, the one that a command is about is asked for, until another is chosen', async () => {
  const { view, posted, answers, move, click } = open();
  answers.mockImplementation(async (_, { position }) => placeAt(position.line, { property: { property: 'bad:0', facts: [] } as never }));
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  const asked = () => answers.mock.lastCall?.[1];
  await view.lookAt('property', { uri, range: range(3) }, { property: 'bad:1' });
  await shows(posted, 3);
  expect(asked()).toMatchObject({ position: { line: 3 }, property: 'bad:1' });
  await click({ type: 'choose', of: countOf(posted), what: 'property', chosen: 'bad:2' });
  await vi.waitFor(() => expect(asked()).toMatchObject({ property: 'bad:2' }));
  move(editorAt(4));
  await shows(posted, 4);
  expect(asked()).not.toHaveProperty('property');
});

test('at the line of a word the buttons lead to the changes of the word', async () => {
  const { posted, move, answers, steps, click } = open();
  answers.mockImplementation(async (_, { position }) => placeAt(position.line, { signal: null, now: now({ property: 'bad:0', step: 3, steps: 9, next: 7, previous: 1, value: '', why: null }) }));
  move(editorAt(1));
  await shows(posted, 1);
  for (const to of ['nextChange', 'previousChange', 'next'] as const) await click({ type: 'step', of: countOf(posted), to });
  expect(steps.follow.mock.calls.map(([{ to }]) => to)).toEqual(['7', '1', 'next']);
});

test('a run that is played is asked about until it ends, or a step of the text is shown', async () => {
  const { view, posted, move, answers, shownSteps, steps, click } = open();
  const ofRun = (step: number) => now({ ...ofPlayed, of: 'run that is played', step, steps: 4, next: null, previous: 0, why: cause(6, 3) });
  answers.mockImplementation(async (_, { position, run, step }) => placeAt(position.line, { now: run === undefined ? null : ofRun(step ?? 0) }));
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  move(editorAt(1));
  const panel = {};
  const show = vi.fn();
  const run = { circuit: 'c', steps: 4, inputs: [], latches: [] };
  await view.lookAtRun({ panel, uri, run, show, change: vi.fn() }, 3, { uri, range: range(3) });
  await shows(posted, 3);
  expect(answers.mock.lastCall![1]).toMatchObject({ run, step: 3 });
  await click({ type: 'step', of: countOf(posted), to: 'previous' });
  expect(show).toHaveBeenLastCalledWith(2);
  expect(steps.follow).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).toMatchObject({ run, step: 2 }));
  await vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ answer: { now: { step: 2 } } }));
  await click({ type: 'go', of: countOf(posted), path: 'answer.now.why', focus: true });
  expect(show).toHaveBeenLastCalledWith(3);

  const other = { ...run, steps: 2 };
  view.followRun({}, other); // of another panel
  view.followRun(panel, other);
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).toMatchObject({ run: other, step: 1 }));
  shownSteps.fire({ uri, property: 'bad:0' });
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).not.toHaveProperty('run'));
  await view.lookAtRun({ panel, uri, run, show, change: vi.fn() }, 3, { uri, range: range(3) });
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).toHaveProperty('run'));
  view.forgetRun(panel);
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).not.toHaveProperty('run'));
});

/** Texts side by side with a run of four steps. */
function comparing(view: CircuitView, run: { id?: string } = { id: 'd' }) {
  const texts: { about: Comparing['about']; step: number; goTo(step: number): void } = { about: { document: { uri: Uri.parse(uri) as never }, run }, step: 3, goTo: (step) => goTo(step) };
  const follow = () => view.followComparison(texts);
  const goTo = vi.fn((step: number) => {
    texts.step = step;
    follow();
  });
  const end = () => {
    texts.about = undefined;
    follow();
  };
  return { follow, goTo, end };
}

test('while texts side by side show a difference values are those of its run, and end with it', async () => {
  const { view, posted, move, answers, execute, steps, click } = open();
  const ofDifference = (step: number) => now({ kind: 'compared', property: '', of: 'difference in y', step, steps: 4, next: null, previous: 1, why: cause(6, 2, { cut: true }) });
  const signal = { name: 's6', signal: 6 } as protocol.PlaceSignal;
  answers.mockImplementation(async (_, { position, compared, step }) => placeAt(position.line, { signal, now: compared === undefined ? null : ofDifference(step ?? 0) }));
  const asked = () => answers.mock.lastCall![1];
  const isShown = (step: number) => vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ answer: { now: { step } } }));
  move(editorAt(3));
  await shows(posted, 3);
  expect(asked()).not.toHaveProperty('compared');
  const { follow, goTo, end } = comparing(view);
  follow();
  expect(posted.at(-1)).toEqual({ type: 'moved', isSame: true });
  await isShown(3);
  expect(asked()).toMatchObject({ compared: 'd', step: 3 });
  expect(asked()).not.toHaveProperty('run');

  // Steps and causes are those of the comparison, whose panel follows; nothing is asked of a property or a panel.
  await click({ type: 'step', of: countOf(posted), to: 'previousChange' });
  expect(goTo).toHaveBeenLastCalledWith(1);
  await isShown(1);
  execute.mockResolvedValueOnce(cause(6, 2, { causes: [cause(8, 1)] }));
  await click({ type: 'causes', of: countOf(posted), path: 'answer.now.why' });
  expect(execute).toHaveBeenLastCalledWith(protocol.playWhy, { uri, compared: 'd', signal: 6, step: 2 });
  expect(posted.at(-1)).toMatchObject({ more: [{ causes: [{ signal: 8 }] }] });
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  await click({ type: 'go', of: countOf(posted), path: 'answer.now.why', focus: true });
  expect(goTo).toHaveBeenLastCalledWith(2);
  await shows(posted, 6);
  await isShown(2);
  await click({ type: 'change', of: countOf(posted), what: 'until' });
  expect([steps.show, steps.follow].flatMap(({ mock }) => mock.calls)).toEqual([]);
  expect(execute).toHaveBeenCalledTimes(1);

  // Of another file it says nothing.
  workspace.textDocuments = [document, { ...document, uri: Uri.parse('file:///b.aag') }] as never;
  move(editorAt(5, { uri: Uri.parse('file:///b.aag'), languageId: 'aiger' }));
  await shows(posted, 5);
  expect(asked()).not.toHaveProperty('compared');
  move(editorAt(3));
  await shows(posted, 3);
  expect(asked()).toMatchObject({ compared: 'd', step: 2 });
  end();
  await vi.waitFor(() => expect(asked()).not.toHaveProperty('compared'));
});

test('a difference that ends while its values are asked for is not shown', async () => {
  const { view, posted, move, answers } = open();
  let answer: (place: protocol.Place) => void = () => undefined;
  move(editorAt(3));
  await shows(posted, 3);
  const { follow, end } = comparing(view);
  answers.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  follow();
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).toHaveProperty('compared'));
  end();
  answer(placeAt(3, { now: now({ kind: 'compared', property: '' }) }));
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).not.toHaveProperty('compared'));
  await vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ type: 'answer', answer: { now: null } }));
  expect(posted.some((one) => one.type === 'answer' && one.answer.now !== null)).toBe(false);
});

test('of a difference, a run that is played and a counterexample the one that was shown last is looked at', async () => {
  const { view, posted, move, answers, steps, shownSteps } = open();
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  const asks = (what: object) => vi.waitFor(() => expect(answers.mock.lastCall![1]).toEqual({ uri, position: { line: 3, character: 0 }, cone: 1, ...what }));
  move(editorAt(3));
  await shows(posted, 3);
  const shownNow = { uri, property: 'bad:0', step: 2, steps: 5 };
  steps.shownIn.mockReturnValue(shownNow as never);
  const { follow } = comparing(view);
  follow();
  await asks({ compared: 'd', step: 3 });
  // A check that ends tells the step that was shown before.
  const before = answers.mock.calls.length;
  shownSteps.fire(shownNow);
  await vi.waitFor(() => expect(answers.mock.calls.length).toBeGreaterThan(before));
  await asks({ compared: 'd', step: 3 });
  shownSteps.fire({ ...shownNow, step: 4 } as never);
  await asks({});
  follow();
  await asks({ compared: 'd', step: 3 });
  const run = { circuit: 'c', steps: 4, inputs: [], latches: [] };
  const panel = {};
  const player = { panel, uri, run, show: vi.fn(), change: vi.fn() };
  await view.lookAtRun(player, 1, { uri, range: range(3) });
  await asks({ run, step: 1 });
  view.forgetRun(panel);
  await asks({ compared: 'd', step: 3 });
  await view.lookAtRun(player, 1, { uri, range: range(3) });
  await asks({ run, step: 1 });
  follow();
  await asks({ compared: 'd', step: 3 });
  // Why a value is that of the counterexample is a question about that.
  await view.lookAt('now', { uri, range: range(3) });
  await asks({});
  follow();
  await asks({ compared: 'd', step: 3 });
  // A run that is too large has no name.
  comparing(view, {}).follow();
  await asks({});
});

test('what the server refuses stands in the place of an answer', async () => {
  const { posted, move, answers } = open();
  answers.mockRejectedValueOnce(new Refusal('the file is not open'));
  move(editorAt(3));
  await vi.waitFor(() => expect(posted.at(-1)).toEqual({ type: 'nothing', message: 'The file is not open.' }));
});

test('two causes that are opened at once are both shown', async () => {
  const { posted, move, answers, execute, click } = open();
  answers.mockResolvedValue(placeAt(3, { now: now({ why: cause(6, 3, { causes: [cause(7, 2, { cut: true }), cause(8, 2, { cut: true })] }) }) }));
  move(editorAt(3));
  await shows(posted, 3);
  execute.mockResolvedValueOnce(cause(7, 2, { causes: [cause(9, 1)] })).mockResolvedValueOnce(cause(8, 2, { causes: [cause(10, 1)] }));
  const of = countOf(posted);
  const path = 'answer.now.why.causes';
  await Promise.all([click({ type: 'causes', of, path: `${path}.0` }), click({ type: 'causes', of, path: `${path}.1` })]);
  expect(posted.at(-1)).toMatchObject({ type: 'answer', count: of, more: [{ signal: 7 }, { signal: 8 }] });
});

test('what another value does is asked of the panel that plays the run, and shown', async () => {
  const { posted, move, answers, click, playerOf } = open();
  const run = { circuit: 'c', steps: 5, inputs: [], latches: [] };
  const change = vi.fn(async (): Promise<protocol.PlayedRun | undefined> => run);
  const show = vi.fn();
  playerOf.mockResolvedValue({ panel: {}, uri, show, change });
  const word = { name: 'q', text: '2', value: '2', values: [], written: '`q`', names: ['idle'], settable: 'always' as const };
  const signal = { name: 's6', signal: 6 } as protocol.PlaceSignal;
  answers.mockImplementation(async (_, { position, run: sent, step = 3 }) => placeAt(position.line, { signal, now: now({ word, settable: 'always', ...(sent === undefined ? {} : { ...ofPlayed, step, steps: sent.steps }) }) }));
  move(editorAt(3));
  await shows(posted, 3);

  change.mockResolvedValueOnce(undefined); // refused: the counterexample stays
  await click({ type: 'change', of: countOf(posted), what: 'flip' });
  expect(playerOf).toHaveBeenCalledWith({ uri, property: 'bad:0' });
  expect(change).toHaveBeenLastCalledWith({ kind: 'flip', signal: 6, step: 3 }, 's6');
  expect(answers.mock.lastCall![1]).not.toHaveProperty('run');
  await click({ type: 'change', of: countOf(posted), what: 'flip' });
  expect(show).toHaveBeenLastCalledWith(3);
  await vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ answer: { now: { property: '', step: 3 } } }));

  // From now on it is the run that is played.
  window.showInputBox.mockResolvedValueOnce(' idle ' as never);
  await click({ type: 'change', of: countOf(posted), what: 'set' });
  expect(window.showInputBox).toHaveBeenLastCalledWith(expect.objectContaining({ title: 'q at step 3', value: '2', prompt: expect.stringContaining('idle') }));
  expect(change).toHaveBeenLastCalledWith({ kind: 'set', word: 'q', step: 3, value: 'idle' }, 'q');
  expect(playerOf).toHaveBeenCalledTimes(2);
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).toMatchObject({ run, step: 3 }));
  await shows(posted, 3);

  const longer = { ...run, steps: 9 };
  change.mockResolvedValueOnce(longer);
  window.showInputBox.mockResolvedValueOnce('5' as never);
  await vi.waitFor(() => expect(posted.at(-1)!.type).toBe('answer'));
  await click({ type: 'change', of: countOf(posted), what: 'untilValue' });
  expect(change).toHaveBeenLastCalledWith({ kind: 'until', expression: '`q` == 5', steps: 1000 }, '`q` == 5');
  await vi.waitFor(() => expect(answers.mock.lastCall![1]).toMatchObject({ run: longer, step: 8 }));

  // A signal of an earlier text may be another one in this.
  await vi.waitFor(() => expect(posted.at(-1)!.type).toBe('answer'));
  const before = change.mock.calls.length;
  workspace.textDocuments = [{ ...document, version: 2 }] as never;
  await click({ type: 'change', of: countOf(posted), what: 'flip' });
  expect(change).toHaveBeenCalledTimes(before);
  expect(window.showWarningMessage).toHaveBeenCalled();
});

/** A view at a place with a counterexample, and a panel that answers a change of it later. */
async function changing() {
  const opened = open();
  const { posted, move, answers, playerOf, click } = opened;
  let answer: (run: protocol.PlayedRun) => void = () => undefined;
  const change = vi.fn(() => new Promise<protocol.PlayedRun>((resolve) => (answer = resolve)));
  const show = vi.fn();
  playerOf.mockResolvedValue({ panel: {}, uri, show, change });
  answers.mockImplementation(async (_, { position }) => placeAt(position.line, { signal: { name: 's6', signal: 6 } as protocol.PlaceSignal, now: now({ settable: 'always' }) }));
  move(editorAt(3));
  await shows(posted, 3);
  const flip = () => click({ type: 'change', of: countOf(posted), what: 'flip' });
  return { ...opened, change, show, flip, answer: () => answer({ circuit: 'c', steps: 5, inputs: [], latches: [] }) };
}

test('of two quick clicks the second does not begin another run', async () => {
  const { change, flip, answer, playerOf, show } = await changing();
  const first = flip();
  await flip();
  await vi.waitFor(() => expect(change).toHaveBeenCalled());
  answer();
  await first;
  expect(playerOf).toHaveBeenCalledTimes(1);
  expect(change).toHaveBeenCalledTimes(1);
  expect(show).toHaveBeenCalledExactlyOnceWith(3);
});

test.each([
  ['another place', ({ move }: Awaited<ReturnType<typeof changing>>) => move(editorAt(4))],
  ['another step', ({ steps }: Awaited<ReturnType<typeof changing>>) => steps.shownIn.mockReturnValue({ uri, property: 'bad:0', step: 1 })],
])('a run that comes when %s is looked at is not shown in its place', async (_, look) => {
  const view = await changing();
  const coming = view.flip();
  await vi.waitFor(() => expect(view.change).toHaveBeenCalled());
  look(view);
  view.answer();
  await coming;
  expect(view.show).not.toHaveBeenCalled();
  view.known.fire({ uri });
  const asked = view.answers.mock.calls.length;
  await vi.waitFor(() => expect(view.answers.mock.calls.length).toBeGreaterThan(asked));
  expect(view.answers.mock.lastCall![1]).not.toHaveProperty('run');
});

test('a change of a text that is edited while the panel opens is refused', async () => {
  const { change, flip, playerOf } = await changing();
  const player = await playerOf();
  playerOf.mockImplementationOnce(async () => {
    workspace.textDocuments = [{ ...document, version: 2 }] as never;
    return player;
  });
  await flip();
  expect(window.showWarningMessage).toHaveBeenCalled();
  expect(change).not.toHaveBeenCalled();
});

test('a radix is chosen for the word of Now, and what is shown is asked for again', async () => {
  const { posted, move, answers, execute, click } = open();
  const word = { name: 'q', text: '3', value: '3', values: ['3'], written: 'q' };
  answers.mockImplementation(async () => placeAt(3, { now: now({ word }) }));
  move(editorAt(3));
  await shows(posted, 3);
  expect(posted.findLast(({ type }) => type === 'answer')).toMatchObject({ radix: 'default' });
  const before = countOf(posted);
  await click({ type: 'radix', of: before, radix: 'hex' });
  expect(execute).toHaveBeenLastCalledWith(protocol.radices, { uri, words: [{ word: 'q', radix: 'hex' }] });
  await vi.waitFor(() => expect(countOf(posted)).toBeGreaterThan(before));
  expect(posted.findLast(({ type }) => type === 'answer')).toMatchObject({ radix: 'hex' });
});
