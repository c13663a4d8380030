// The trace panel without its page: what it asks, what it tells the page, what it
// does with what the page says.
import { beforeEach, expect, test, vi } from 'vitest';
import type { FromPage, ToPage } from '../../src/counterexample/messages';
import { pageHtml } from '../../src/counterexample/html';
import { Panels, showsFewRows } from '../../src/counterexample/panel';
import { Steps } from '../../src/counterexample/steps';
import * as protocol from '../../src/protocol';
import { Radices } from '../../src/radices';
import { Refusal } from '../../src/refusal';
import { StatusModel } from '../../src/status';
import { commands, events, Uri, window, workspace } from './vscode';

const uri = 'file:///a.aag';
const about = { uri, property: 'bad:0' };
const range = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 2 } });
const signal = (group: protocol.SignalGroup, name: string, line: number | null): protocol.TraceSignal => ({
  group,
  name,
  signal: 2,
  values: '01',
  relevant: true,
  location: line === null ? null : { uri, range: range(line) },
});
const answer = (more: Partial<protocol.Trace> = {}): protocol.Trace => ({ ...about, name: 'full', steps: 2, step: 1, stale: false, version: 1, signals: [signal('property', 'full', 3), signal('latches', 'low', 5)], more: 0, others: false, ...more });

/** The state of a workspace, for all windows that open it. */
function workspaceState() {
  const kept = new Map<string, unknown>();
  return { get: (key: string, otherwise?: unknown) => kept.get(key) ?? otherwise, update: async (key: string, value: unknown) => void kept.set(key, value) };
}

function restored(execute: (command: string, params: object) => unknown, state = workspaceState()) {
  window.createStatusBarItem.mockReturnValue({ hide: vi.fn(), show: vi.fn() });
  const server = { execute: vi.fn(async (command: string, params: object) => execute(command, params)), listen: vi.fn() };
  const model = new StatusModel();
  const actions = { export: vi.fn(), debug: vi.fn(), check: vi.fn(), why: vi.fn(), another: vi.fn(), shortest: vi.fn(), first: vi.fn() };
  const circuit = { lookAt: vi.fn(), lookAtRun: vi.fn(async () => undefined), followRun: vi.fn(), forgetRun: vi.fn() };
  const radices = new Radices(state as never, { execute: server.execute, running: {}, onDidChangeState: vi.fn() } as never);
  const panels = new Panels(Uri.parse('file:///extension') as never, server as never, model, new Steps(server as never, model), circuit as never, actions, state as never, radices);
  const sent: ToPage[] = [];
  let receive: (message: FromPage) => Promise<void> = async () => {};
  const webview = { html: '', options: {}, cspSource: 'csp:', asWebviewUri: (one: Uri) => one, postMessage: (message: ToPage) => sent.push(message), onDidReceiveMessage: (listener: typeof receive) => (receive = listener) };
  const view = { webview, title: '', visible: true, active: false, onDidDispose: vi.fn(), onDidChangeViewState: vi.fn<(listener: () => void) => void>(), dispose: vi.fn(), reveal: vi.fn() };
  const [, serializer] = window.registerWebviewPanelSerializer.mock.lastCall as unknown as [string, { deserializeWebviewPanel(view: unknown, state: unknown): Promise<void> }];
  return { circuit, panels, server, actions, sent, view, webview, serializer, say: (message: FromPage) => receive(message) };
}

beforeEach(() => vi.clearAllMocks());

test('comes back with the window, and asks for its trace', async () => {
  const { panels, sent, view, webview, serializer, say, server } = restored(() => answer());
  await serializer.deserializeWebviewPanel(view, { ...about, view: {} });
  expect(panels.of(about)).toBeDefined();
  expect(webview.html).toMatch(/default-src 'none'; style-src csp:; script-src 'nonce-[0-9a-f]{32}'/);
  await say({ type: 'ready' });
  expect(workspace.openTextDocument).toHaveBeenCalled();
  expect(server.execute).toHaveBeenCalledWith(protocol.trace, about);
  expect(sent).toMatchObject([{ type: 'trace', about, step: 1, trace: { name: 'full', file: 'a.aag', steps: 2, signals: [{ name: 'full', inText: true }, { name: 'low', inText: true }] } }]);
  expect(view.title).toBe('full · a.aag');
});

test('a loop is asked for once more, and as often as the step of the text wants it', async () => {
  const lasso = (rounds = 1, step = 1) => answer({ steps: 1 + rounds, loop: 1, rounds, step, signals: [signal('property', 'full', 3)] });
  let shown = 1;
  const { sent, view, serializer, say, server } = restored((_, { rounds }: { rounds?: number }) => lasso(rounds, shown));
  await serializer.deserializeWebviewPanel(view, about);
  await say({ type: 'ready' });
  expect(sent).toMatchObject([{ type: 'trace', trace: { steps: 2, loop: 1, rounds: 1 } }]);
  await say({ type: 'round' });
  expect(server.execute).toHaveBeenLastCalledWith(protocol.trace, { ...about, rounds: 2 });
  expect(sent.at(-1)).toMatchObject({ type: 'trace', trace: { steps: 3, rounds: 2 } });
  shown = 9;
  await say({ type: 'round' });
  expect(sent.at(-1)).toMatchObject({ type: 'trace', step: 9, trace: { steps: 10, rounds: 9 } });
});

test('a panel whose state is lost is closed', async () => {
  const { view, serializer } = restored(() => answer());
  await serializer.deserializeWebviewPanel(view, undefined);
  expect(view.dispose).toHaveBeenCalled();
});

test('without a counterexample the page says why, and offers a check', async () => {
  const { sent, view, serializer, say, actions } = restored(() => {
    throw new Refusal('there is no counterexample here');
  });
  await serializer.deserializeWebviewPanel(view, about);
  await say({ type: 'ready' });
  expect(sent).toEqual([{ type: 'nothing', message: 'There is no counterexample here.' }]);
  await say({ type: 'action', action: 'check' });
  expect(actions.check).toHaveBeenCalledWith(about);
});

test('places move with the text; an old trace has steps of its own', async () => {
  let trace = answer();
  const { sent, view, serializer, say, server } = restored((command) => (command === protocol.trace ? trace : undefined));
  await serializer.deserializeWebviewPanel(view, about);
  await say({ type: 'ready' });
  window.showTextDocument.mockResolvedValue({ revealRange: vi.fn() });
  events.text.fire({ document: { uri: { toString: () => uri } }, contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: '\n' }] });
  await say({ type: 'go', signal: 1, focus: false });
  expect(window.showTextDocument.mock.calls[0]![1]).toMatchObject({ preserveFocus: true, selection: { start: { line: 6 } } });

  trace = answer({ stale: true, signals: [signal('property', 'full', 4), signal('latches', 'low', null)] });
  await say({ type: 'remove', signal: 9 });
  expect(sent.at(-1)).toEqual({ type: 'places', stale: true, inText: [true, false] });
  server.execute.mockClear();
  await say({ type: 'step', step: 0 });
  await say({ type: 'why', signal: 1, step: 0 });
  expect(server.execute).not.toHaveBeenCalled();
});

test('signals that are hidden are kept for the file, and hidden in its other panels', async () => {
  const state = workspaceState();
  const first = restored(() => answer(), state);
  await first.serializer.deserializeWebviewPanel(first.view, about);
  await first.say({ type: 'ready' });
  expect(first.sent.at(-1)).not.toHaveProperty('hidden');
  const other: ToPage[] = [];
  let receive: (message: FromPage) => Promise<void> = async () => {};
  const webview = { ...first.webview, postMessage: (message: ToPage) => other.push(message), onDidReceiveMessage: (listener: typeof receive) => (receive = listener) };
  await first.serializer.deserializeWebviewPanel({ ...first.view, webview }, { ...about, property: 'bad:1' });
  await receive({ type: 'ready' });
  const before = first.sent.length;
  await first.say({ type: 'hide', hidden: ['low'] });
  expect(other.at(-1)).toEqual({ type: 'hidden', hidden: ['low'] });
  expect(first.sent.slice(before)).toEqual([]); // the page that has hidden it may be further by now
  const second = restored(() => answer(), state);
  await second.serializer.deserializeWebviewPanel(second.view, about);
  await second.say({ type: 'ready' });
  expect(second.sent.at(-1)).toMatchObject({ type: 'trace', hidden: ['low'] });
  const elsewhere = restored(() => answer({ uri: 'file:///b.aag' }), state);
  await elsewhere.serializer.deserializeWebviewPanel(elsewhere.view, { ...about, uri: 'file:///b.aag' });
  await elsewhere.say({ type: 'ready' });
  expect(elsewhere.sent.at(-1)).not.toHaveProperty('hidden');
});

test('expressions are asked for, kept with the workspace, changed and removed', async () => {
  const state = workspaceState();
  const values = (params: object) => ((params as protocol.TraceParams).expressions ?? []).map((text): protocol.TraceSignal => ({ ...signal('expressions', text, null), ...(text === 'low &' ? { values: '', error: 'column 6' } : {}) }));
  const execute = (_: string, params: object) => answer({ signals: [signal('property', 'full', 3), ...values(params)] });
  const first = restored(execute, state);
  await first.serializer.deserializeWebviewPanel(first.view, about);
  await first.say({ type: 'ready' });
  await first.say({ type: 'expression', text: 'low &' });
  await vi.waitFor(() => expect(first.sent.slice(-2)).toMatchObject([{ type: 'trace', trace: { signals: [{ name: 'full' }, { name: 'low &', error: 'column 6', inText: true }] } }, { type: 'select', signal: 1 }]));
  await first.say({ type: 'expression', text: 'q == 3' });
  await first.say({ type: 'expression', text: 'q == 3' }); // a second time
  await first.say({ type: 'expression', text: 'low & full', instead: 'low &' });
  await first.say({ type: 'radix', radix: 'hex' });

  // Another window, or the same after a reload.
  const second = restored(execute, state);
  await second.serializer.deserializeWebviewPanel(second.view, about);
  await second.say({ type: 'ready' });
  expect(second.server.execute).toHaveBeenLastCalledWith(protocol.trace, { ...about, expressions: ['low & full', 'q == 3'] });
  expect(second.sent.at(-1)).toMatchObject({ type: 'trace', radix: 'hex' });
  await second.say({ type: 'remove', signal: 1 });
  expect(second.server.execute).toHaveBeenLastCalledWith(protocol.trace, { ...about, expressions: ['q == 3'] });
  await vi.waitFor(() => expect(second.sent.at(-1)).toMatchObject({ trace: { signals: [{ name: 'full' }, { name: 'q == 3' }] } }));
  await second.say({ type: 'remove', signal: 1 });
  expect(second.server.execute).toHaveBeenLastCalledWith(protocol.trace, about);
});

test('a word has a radix of its own, of which the server knows', async () => {
  const state = workspaceState();
  const first = restored(() => answer(), state);
  await first.serializer.deserializeWebviewPanel(first.view, about);
  await first.say({ type: 'ready' });
  await first.say({ type: 'wordRadix', word: 'q', radix: 'signed' });
  const chosen = [{ word: 'q', radix: 'signed' }];
  expect(first.server.execute).toHaveBeenLastCalledWith(protocol.radices, { uri, words: chosen });
  expect(first.sent.at(-1)).toEqual({ type: 'chosen', chosen });

  const second = restored(() => answer(), state);
  await vi.waitFor(() => expect(second.server.execute.mock.calls).toEqual([[protocol.radices, { uri, words: chosen }]]));
  await second.serializer.deserializeWebviewPanel(second.view, about);
  await second.say({ type: 'ready' });
  expect(second.sent.at(-1)).toMatchObject({ type: 'trace', chosen });
  await second.say({ type: 'wordRadix', word: 'q', radix: 'default' });
  expect(second.server.execute).toHaveBeenLastCalledWith(protocol.radices, { uri, words: [] });
  expect(second.sent.at(-1)).toEqual({ type: 'chosen', chosen: [] });
});

test('a panel that is opened has the keyboard once its page is ready; one that comes back with the window does not take it', async () => {
  const one = restored(() => answer());
  await one.serializer.deserializeWebviewPanel(one.view, about);
  await one.say({ type: 'ready' });
  expect(one.sent.map(({ type }) => type)).toEqual(['trace']);
  await one.panels.show(about); // it is there
  expect(one.view.reveal).toHaveBeenCalledWith(undefined, false);
  expect(one.sent.at(-1)).toEqual({ type: 'focus' });

  const two = restored(() => answer());
  await two.serializer.deserializeWebviewPanel(two.view, about);
  await two.panels.show(about); // before its page is ready
  expect(two.sent).toEqual([]);
  await two.say({ type: 'ready' });
  expect(two.sent.map(({ type }) => type)).toEqual(['focus', 'trace']);
});

test.each([
  [0, 20, 100, true], // a small window
  [70, 99, 100, true],
  [0, 50, 100, false],
  [0, 11, 12, false], // all of a short text
])('an editor that shows the rows %i to %i of %i has few: %s', (first, last, lineCount, few) => {
  expect(showsFewRows({ document: { lineCount }, visibleRanges: [{ start: { line: first }, end: { line: last } }] } as never)).toBe(few);
  expect(showsFewRows(undefined)).toBe(false);
});

test('a panel that has little room below the text goes beside it, once', async () => {
  const { panels, view, say } = restored(() => answer());
  window.createWebviewPanel.mockReturnValueOnce(view);
  window.visibleTextEditors = [];
  await panels.show(about);
  expect(commands.executeCommand).toHaveBeenCalledWith('workbench.action.newGroupBelow');
  window.tabGroups.all = [{}, {}];
  const toggles = () => commands.executeCommand.mock.calls.filter(([id]) => id === 'workbench.action.toggleEditorGroupLayout').length;
  for (const room of [4, 4]) await say({ type: 'shown', signals: 30, steps: 5, rows: room, room });
  expect(toggles()).toBe(1);
  window.tabGroups.all = [{}];
});

test('each control of the page has a name, and says what it does', () => {
  const html = pageHtml({ scripts: [''], style: '', source: '', nonce: '' });
  const controls = [...html.matchAll(/<(button|select|input)\b([^>]*)>/g)].map(([, , attributes = '']) => attributes);
  expect(controls.length).toBeGreaterThan(25);
  for (const attributes of controls) {
    expect(attributes).toMatch(/\btitle="[^"]{8,}"/);
    expect(attributes.includes('id="check"') || /\baria-label="[^"]*\w{2,}[^"]*"/.test(attributes), attributes).toBe(true);
  }
});

test('the page is told which of several runs it shows, and has others looked for', async () => {
  let trace = answer({ others: true });
  const { sent, view, serializer, say, actions, panels } = restored((command) => (command === protocol.trace ? trace : undefined));
  await serializer.deserializeWebviewPanel(view, about);
  await say({ type: 'ready' });
  expect(sent.at(-1)).toMatchObject({ type: 'trace', runs: { others: true } });
  await say({ type: 'action', action: 'another' });
  expect(actions.another).toHaveBeenCalledWith(about);
  const among = { number: 1, known: 2, message: '' };
  trace = answer({ others: true, among });
  panels.of(about)?.renew();
  await vi.waitFor(() => expect(sent.at(-1)).toMatchObject({ type: 'places', runs: { others: true, among } }));
  trace = answer({ stale: true });
  panels.of(about)?.renew();
  await vi.waitFor(() => expect(sent.at(-1)).toEqual({ type: 'places', stale: true, inText: [true, true] }));
});

const run = (steps: number, more: Partial<protocol.PlayedRun> = {}): protocol.PlayedRun => ({ circuit: 'k', steps, inputs: [{ name: 'go', values: '0'.repeat(steps) }], latches: [], ...more });
const { property: _, ...noProperty } = answer();
const played = (steps: number, more: Partial<protocol.Played> = {}): protocol.Played => ({ run: run(steps), words: 'Nothing fails.', outcome: 'open', trace: { ...noProperty, steps, step: null, signals: [{ ...signal('inputs', 'go', 1), signal: 4, values: '0'.repeat(steps), settable: 'always' }] }, ...more });

test('a run that is played is kept with the panel, and its changes come one after the other', async () => {
  const { sent, serializer, say, view, server } = restored((_, params) => {
    const { run: from, change } = params as protocol.PlayParams;
    return played((from?.steps ?? 1) + (change?.steps ?? 0), { run: run((from?.steps ?? 1) + (change?.steps ?? 0)) });
  });
  await serializer.deserializeWebviewPanel(view, { uri, property: 'play:1', run: run(2) });
  await say({ type: 'ready' });
  expect(server.execute).toHaveBeenLastCalledWith(protocol.play, { uri, run: run(2) }, undefined);
  expect(sent.at(-1)).toMatchObject({ type: 'trace', run: run(2), trace: { steps: 2, play: { words: 'Nothing fails.', outcome: 'open' } } });
  await Promise.all([say({ type: 'play', move: 'add', step: 0 }), say({ type: 'play', move: 'random', step: 0 }), say({ type: 'flip', signal: 0, step: 1 })]);
  expect(server.execute.mock.calls.slice(-3).map(([, params]) => (params as protocol.PlayParams).run?.steps)).toEqual([2, 3, 13]);
  expect(server.execute).toHaveBeenLastCalledWith(protocol.play, { uri, run: run(13), change: { kind: 'flip', signal: 4, step: 1 } }, undefined);
});

test('what the panel has of the signals is not sent again', async () => {
  const whole = played(2, { list: 'a' });
  const { sent, serializer, say, view, server } = restored((_, params) => {
    const { listed, change } = params as protocol.PlayParams;
    if (listed === undefined) return whole;
    const typed: protocol.TraceSignal = { ...signal('expressions', 'go & go', 1), values: '010' };
    const values = { signals: ['011'], inputs: ['011'], latches: [] };
    return change?.kind === 'add' ? played(3, { list: 'a', values, run: { ...run(3), inputs: [] }, trace: { ...whole.trace!, steps: 3, signals: [typed] } }) : played(4, { list: 'b' });
  });
  await serializer.deserializeWebviewPanel(view, { uri, property: 'play:1', run: run(2) });
  await say({ type: 'ready' });
  await say({ type: 'play', move: 'add', step: 0 });
  expect(server.execute).toHaveBeenLastCalledWith(protocol.play, { uri, run: run(2), change: { kind: 'add', steps: 1 }, listed: 'a' }, undefined);
  const went = { ...run(3), inputs: [{ name: 'go', values: '011' }] };
  expect(sent.findLast(({ type }) => type === 'trace')).toMatchObject({ run: went, trace: { steps: 3, signals: [{ name: 'go', values: '011', settable: 'always' }, { name: 'go & go', values: '010' }] } });
  await say({ type: 'play', move: 'random', step: 0 });
  expect(server.execute).toHaveBeenLastCalledWith(protocol.play, expect.objectContaining({ run: went, listed: 'a' }), undefined);
  await say({ type: 'flip', signal: 0, step: 1 });
  expect(server.execute).toHaveBeenLastCalledWith(protocol.play, expect.objectContaining({ run: run(4), listed: 'b' }), undefined);
});

test('why of a counterexample shows the step, and the place of the signal in the Circuit view', async () => {
  const { serializer, say, view, circuit, server } = restored((command) => (command === protocol.why ? { location: { uri, range: range(8) } } : answer()));
  await serializer.deserializeWebviewPanel(view, { ...about, view: {} });
  await say({ type: 'ready' });
  // The first row is that of the property, and its signal stands elsewhere.
  await say({ type: 'why', signal: 0, step: 0 });
  expect(server.execute).toHaveBeenCalledWith(protocol.why, { ...about, signal: 2, step: 0, depth: 1 });
  expect(server.execute).toHaveBeenLastCalledWith(protocol.step, { ...about, to: '0' });
  expect(circuit.lookAt).toHaveBeenCalledWith('now', { uri, range: range(8) });
});

test('why asks about the run that is played, which follows it when it changes', async () => {
  const { sent, serializer, say, view, circuit } = restored((command, params) => {
    if (command === protocol.playWhy) return { location: { uri, range: range(8) } };
    const { run: from, change } = params as protocol.PlayParams;
    const steps = (from?.steps ?? 1) + (change?.steps ?? 0);
    return played(steps, { run: run(steps) });
  });
  await serializer.deserializeWebviewPanel(view, { uri, property: 'play:1', run: run(2) });
  await say({ type: 'ready' });
  await say({ type: 'why', signal: 0, step: 1 });
  const [about, step, at] = circuit.lookAtRun.mock.lastCall as unknown as [{ panel: object; show(step: number): void }, number, unknown];
  expect([about, step, at]).toMatchObject([{ uri, run: run(2) }, 1, { uri, range: range(8) }]);
  expect(circuit.lookAt).not.toHaveBeenCalled();
  about.show(1);
  expect(sent.at(-1)).toEqual({ type: 'step', step: 1 });
  await say({ type: 'play', move: 'add', step: 0 });
  expect(circuit.followRun).toHaveBeenLastCalledWith(about.panel, run(3));

  // A panel that is closed plays nothing, and nothing is sent to it.
  expect(circuit.forgetRun).not.toHaveBeenCalled();
  const [close] = view.onDidDispose.mock.lastCall as unknown as [() => void];
  close();
  expect(circuit.forgetRun.mock.calls).toEqual([[about.panel]]);
  const messages = sent.length;
  about.show(1);
  expect(sent.length).toBe(messages);
});

test('a run of an earlier text is said to be one, and stays', async () => {
  let stale = false;
  const { sent, view, serializer, say, server, circuit } = restored(() => (stale ? { run: run(2), words: '', outcome: 'open' } : played(2)));
  await serializer.deserializeWebviewPanel(view, { uri, property: 'play:1', run: run(2) });
  await say({ type: 'ready' });
  stale = true;
  await say({ type: 'round' });
  expect(sent.at(-1)).toMatchObject({ type: 'places', stale: true });
  const before = server.execute.mock.calls.length;
  await say({ type: 'flip', signal: 0, step: 0 });
  await say({ type: 'why', signal: 0, step: 0 });
  expect(circuit.lookAtRun).not.toHaveBeenCalled();
  expect(server.execute.mock.calls.length).toBe(before);
  await say({ type: 'play', move: 'carry', step: 0 });
  expect(server.execute).toHaveBeenLastCalledWith(protocol.play, { uri, run: run(2), change: { kind: 'carry' } }, undefined);
  // A window that is opened again has the inputs, where the text is another one by now.
  await say({ type: 'ready' });
  expect(sent.at(-1)).toMatchObject({ type: 'trace', run: run(2), trace: { stale: true, signals: [{ name: 'go', values: '00' }] } });
});

test('a flipped input of a counterexample makes a run of it, from which the way leads back', async () => {
  const { sent, view, serializer, say, server, circuit } = restored((command) => (command === protocol.trace ? answer({ signals: [{ ...signal('inputs', 'go', 1), settable: 'always' }] }) : command === protocol.play ? played(2, { run: run(2, { property: 'bad:0' }) }) : undefined));
  await serializer.deserializeWebviewPanel(view, about);
  await say({ type: 'ready' });
  await say({ type: 'flip', signal: 0, step: 1 });
  expect(server.execute).toHaveBeenCalledWith(protocol.play, { uri, property: 'bad:0', change: { kind: 'flip', signal: 2, step: 1 } }, undefined);
  expect(sent.at(-1)).toMatchObject({ type: 'trace', about, trace: { play: { origin: 'bad:0' } } });
  expect(circuit.forgetRun).not.toHaveBeenCalled();
  await say({ type: 'play', move: 'back', step: 0 });
  expect(circuit.forgetRun).toHaveBeenCalled();
  expect(server.execute).toHaveBeenLastCalledWith(protocol.trace, about);
  expect((sent.at(-1) as { trace: object }).trace).not.toHaveProperty('play');
});

test('the run is changed from elsewhere; where that is refused the counterexample stays, in the text too', async () => {
  const refuse = vi.fn<() => void>(() => {
    throw new Refusal('there is no such value');
  });
  const { panels, view, serializer, say, server, sent } = restored((command) => {
    if (command === protocol.trace) return answer({ signals: [{ ...signal('inputs', 'go', 1), settable: 'always' }] });
    if (command !== protocol.play) return undefined;
    refuse();
    return played(2, { run: run(2, { property: 'bad:0' }) });
  });
  await serializer.deserializeWebviewPanel(view, about);
  const coming = panels.player(about);
  await say({ type: 'ready' });
  const player = (await coming)!;
  const change = { kind: 'set', word: 'q', step: 1, value: 'none' } as const;
  expect(await player.change(change, 'q')).toBeUndefined();
  expect(window.showWarningMessage).toHaveBeenCalled();
  expect(server.execute).not.toHaveBeenCalledWith(protocol.step, expect.anything());
  refuse.mockImplementation(() => undefined);
  expect(await player.change(change, 'q')).toMatchObject({ steps: 2, property: 'bad:0' });
  expect(server.execute).toHaveBeenCalledWith(protocol.step, { uri, to: 'hide' });
  player.show(1);
  expect(sent.at(-1)).toEqual({ type: 'step', step: 1 });
});

test('what is asked of the counterexample while its panel plays a run gets a panel of its own', async () => {
  const { panels, view, serializer, say, server, sent } = restored((command) => (command === protocol.trace ? answer({ signals: [{ ...signal('inputs', 'go', 1), settable: 'always' }] }) : command === protocol.play ? played(2, { run: run(2, { property: 'bad:0' }) }) : undefined));
  await serializer.deserializeWebviewPanel(view, about);
  await say({ type: 'ready' });
  await say({ type: 'flip', signal: 0, step: 1 });
  const kept = sent.length;
  let ready: (message: FromPage) => Promise<void> = async () => {};
  const other = { ...view, webview: { ...view.webview, postMessage: vi.fn(), onDidReceiveMessage: (listener: typeof ready) => (ready = listener) } };
  window.createWebviewPanel.mockReturnValueOnce(other);
  const coming = panels.player(about);
  await vi.waitFor(() => expect(panels.of({ uri, property: 'play:1' })).toBeDefined());
  await ready({ type: 'ready' });
  const player = (await coming)!;
  expect(server.execute).toHaveBeenCalledWith(protocol.play, { uri, property: 'bad:0' }, undefined);
  const change = { kind: 'flip', signal: 4, step: 0 } as const;
  expect(await player.change(change, 'go')).toMatchObject({ steps: 2 });
  expect(server.execute).toHaveBeenCalledWith(protocol.play, expect.objectContaining({ run: run(2, { property: 'bad:0' }), change }), undefined);
  expect(sent.length).toBe(kept); // the run of the user is as it was
  expect(panels.of(about)?.isPlaying).toBe(true);
});

test('where the server gives no answer there is nothing to change, and that is said', async () => {
  const { panels, view, serializer, say } = restored(() => undefined);
  await serializer.deserializeWebviewPanel(view, about);
  const coming = panels.player(about);
  await say({ type: 'ready' });
  const player = (await coming)!;
  await expect(player.change({ kind: 'flip', signal: 4, step: 0 }, 'go')).rejects.toThrow('the trace panel has no run to change');
});

test('while a run is played the text has no values of the counterexample', async () => {
  const { sent, view, panels, serializer, say, server } = restored((command) => (command === protocol.trace ? answer({ signals: [{ ...signal('inputs', 'go', 1), settable: 'always' }] }) : command === protocol.play ? played(2) : undefined));
  await serializer.deserializeWebviewPanel(view, about);
  await say({ type: 'ready' });
  const hidden = () => server.execute.mock.calls.filter(([command, params]) => command === protocol.step && (params as protocol.StepParams).to === 'hide').length;
  const look = () => {
    view.active = true;
    for (const [listener] of view.onDidChangeViewState.mock.calls) listener();
  };
  look();
  expect(hidden()).toBe(0); // it is the counterexample
  // A run of its own, in another panel.
  const other = { ...view, onDidChangeViewState: vi.fn(), webview: { ...view.webview, onDidReceiveMessage: vi.fn() } };
  window.createWebviewPanel.mockReturnValueOnce(other);
  await say({ type: 'play', move: 'on', step: 0 });
  expect(panels.of({ uri, property: 'play:1' })).toBeDefined();
  expect(hidden()).toBe(1);
  await vi.waitFor(() => expect(server.execute).toHaveBeenLastCalledWith(protocol.step, { uri, to: 'hide' }));
  // The same panel plays; the user has seen a step of the counterexample meanwhile, and looks at the run again.
  await say({ type: 'flip', signal: 0, step: 1 });
  expect(hidden()).toBe(2);
  const messages = sent.length;
  panels.of(about)?.followStep({ ...about, steps: 2, step: 1 } as protocol.ShownStep);
  expect(sent.length).toBe(messages); // the cursor of the run is its own
  look();
  await vi.waitFor(() => expect(hidden()).toBe(3));
});

test('the buttons of a search wait for its end, whatever comes of it', async () => {
  const { sent, view, serializer, say, actions } = restored((command) => (command === protocol.trace ? answer({ others: true }) : undefined));
  await serializer.deserializeWebviewPanel(view, about);
  await say({ type: 'ready' });
  let fail: (reason: Error) => void = () => {};
  actions.shortest.mockReturnValueOnce(new Promise((_, reject) => (fail = reject)));
  const search = say({ type: 'action', action: 'shortest' });
  const waiting = { type: 'searching', words: 'Looking for the shortest run…' };
  expect(sent.at(-1)).toEqual({ ...waiting, buttons: ['shortest', 'another', 'first'] });
  await say({ type: 'action', action: 'another' });
  expect(actions.another).not.toHaveBeenCalled();
  await say({ type: 'ready' }); // the panel was hidden meanwhile: its page starts again
  expect(sent.at(-2)).toMatchObject(waiting);
  fail(new Refusal('the search was stopped'));
  await search;
  expect(sent.at(-1)).toEqual({ type: 'searching', buttons: [], words: '' });
  await say({ type: 'action', action: 'another' });
  expect(actions.another).toHaveBeenCalledWith(about);

  // An unexpected error.
  actions.another.mockRejectedValueOnce(new Error('the server is gone'));
  await expect(say({ type: 'action', action: 'another' })).rejects.toThrow('gone');
  expect(sent.at(-1)).toEqual({ type: 'searching', buttons: [], words: '' });
});

test('the button that looks for a 1 waits until the steps are there', async () => {
  let found: (value: unknown) => void = () => {};
  const { sent, view, serializer, say, server } = restored((command, params) => (command === protocol.play && (params as protocol.PlayParams).change !== undefined ? new Promise((resolve) => (found = resolve)) : played(2)));
  window.withProgress.mockImplementation(async (_: unknown, work: (progress: unknown, token: unknown) => unknown) => work({}, {}));
  await serializer.deserializeWebviewPanel(view, { uri, property: 'play:1', run: run(2) });
  await say({ type: 'ready' });
  const search = say({ type: 'play', move: 'until', step: 0, signal: 0 });
  expect(sent.at(-1)).toEqual({ type: 'searching', buttons: ['play-until'], words: 'Looking for a step in which go is 1…' });
  await vi.waitFor(() => expect(server.execute.mock.lastCall![1]).toMatchObject({ change: { kind: 'until', signal: 4 } }));
  found(played(5));
  await search;
  expect(sent.slice(-2)).toMatchObject([{ type: 'trace', trace: { steps: 5 } }, { type: 'searching', buttons: [] }]);
});

test('a word of a run has the value that is typed, and steps are added until an expression holds', async () => {
  const word: protocol.TraceWord = { group: 'inputs', name: 'u/data', local: 'data', high: 1, low: 0, bits: [], values: [{ name: 'idle', bits: '00' }] };
  const trace = { ...played(2).trace!, words: [word], signals: [signal('expressions', 'data == 3', 1)] };
  const { view, serializer, say, server } = restored(() => played(2, { trace }));
  window.withProgress.mockImplementation(async (_: unknown, work: (progress: unknown, token: unknown) => unknown) => work({}, {}));
  await serializer.deserializeWebviewPanel(view, { uri, property: 'play:1', run: run(2) });
  await say({ type: 'ready' });
  window.showInputBox.mockResolvedValueOnce(' 3 ' as never);
  await say({ type: 'set', word: 0, step: 1, value: 'idle' });
  expect(window.showInputBox.mock.lastCall).toEqual([{ title: 'u/data in step 1', value: 'idle', prompt: 'idle, a number such as 5, 0x1f or 0b101', ignoreFocusOut: true }]);
  expect(server.execute.mock.lastCall![1]).toMatchObject({ change: { kind: 'set', word: 'u/data', step: 1, value: '3' } });
  const before = server.execute.mock.calls.length;
  window.showInputBox.mockResolvedValueOnce(undefined as never);
  await say({ type: 'set', word: 0, step: 1, value: 'idle' });
  expect(server.execute.mock.calls.length).toBe(before);
  await say({ type: 'play', move: 'until', step: 0, signal: 0 });
  expect(server.execute.mock.lastCall![1]).toMatchObject({ change: { kind: 'until', expression: 'data == 3', steps: 1000 } });
});
