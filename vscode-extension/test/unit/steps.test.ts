// Which step is shown, of which counterexample, and what a pin holds.
import { beforeEach, expect, test, vi } from 'vitest';
import { followContexts } from '../../src/contexts';
import * as protocol from '../../src/protocol';
import { goToStep, move, pin, stepNumber, toggleValues } from '../../src/counterexample/stepCommands';
import { Steps } from '../../src/counterexample/steps';
import { Refusal } from '../../src/refusal';
import { StatusModel } from '../../src/status';
import { commands, events, window } from './vscode';
import { standingOf } from './statuses';

const uri = 'file:///a.aag';

function editorAt(line: number) {
  return { document: { uri: { toString: () => uri }, languageId: 'aiger' }, selection: { active: { line, character: 3 } } };
}

const row = (property: string, line: number, verdict: protocol.Verdict): protocol.PropertyStatus => ({
  property,
  name: property.replace(':', '_'),
  range: { start: { line, character: 0 }, end: { line, character: 1 } },
  verdict,
  standing: standingOf(verdict),
  freshness: 'fresh',
  text: verdict,
  message: verdict,
});

function started() {
  const item = { text: '', tooltip: '', show: vi.fn(), hide: vi.fn() };
  window.createStatusBarItem.mockReturnValue(item);
  let tell: (shown: protocol.ShownStep) => void = () => {};
  const server = {
    execute: vi.fn(async (_command: string, _params: object): Promise<unknown> => undefined),
    listen: vi.fn((method: string, listener: typeof tell) => {
      expect(method).toBe('aiglens/step');
      tell = listener;
    }),
  };
  const model = new StatusModel();
  const steps = new Steps(server as never, model);
  followContexts(model, steps);
  model.apply({ uri, version: 1, whole: true, properties: [row('bad:0', 3, 'proved'), row('bad:1', 4, 'refuted'), row('bad:2', 5, 'refuted')] });
  return { item, server, model, steps, tell: (shown: protocol.ShownStep) => tell(shown) };
}

beforeEach(() => {
  vi.clearAllMocks();
  window.activeTextEditor = editorAt(0);
});

const contexts = () => Object.fromEntries(commands.executeCommand.mock.calls.filter(([id]) => id === 'setContext').map(([, name, value]) => [name, value]));

test('the status bar says the step, and the keys know of it', () => {
  const { item, tell, model } = started();
  expect(contexts()).toMatchObject({ 'aiglens.hasCounterexample': true, 'aiglens.stepShown': false });
  tell({ uri, property: 'bad:1', name: 'full', step: 3, steps: 8 });
  expect(item.text).toBe('$(debug-step-over) step 3 of 7');
  expect(item.show).toHaveBeenCalled();
  expect(contexts()).toMatchObject({ 'aiglens.hasCounterexample': true, 'aiglens.stepShown': true });
  tell({ uri, step: 0, steps: 0 });
  expect(item.hide).toHaveBeenCalled();
  model.clear();
  expect(contexts()).toMatchObject({ 'aiglens.hasCounterexample': false, 'aiglens.stepShown': false });
});

test('menus on the row of a property refer to that one', () => {
  started();
  const at = (line: number) => {
    window.activeTextEditor = editorAt(line);
    events.selection.fire({ textEditor: window.activeTextEditor });
    const { 'aiglens.counterexampleHere': counterexample, 'aiglens.proofHere': proof } = contexts();
    return { counterexample, proof };
  };
  expect(at(0)).toEqual({ counterexample: true, proof: false });
  expect(at(3)).toEqual({ counterexample: false, proof: true });
  expect(at(4)).toEqual({ counterexample: true, proof: false });
});

test('of an earlier text there is a trace, and nothing else', () => {
  const { model } = started();
  const names = ['hasCounterexample', 'counterexampleHere', 'hasTrace', 'traceHere', 'hasUnknown'];
  const told = () => names.filter((name) => contexts()[`aiglens.${name}`]);
  const rows = [row('bad:1', 0, 'refuted'), row('bad:2', 5, 'unknown')];
  model.apply({ uri, version: 1, whole: true, properties: rows });
  expect(told()).toEqual(names);
  for (const freshness of ['stale', 'running'] as const) {
    model.apply({ uri, version: 2, whole: true, properties: rows.map((one) => ({ ...one, freshness })) });
    expect(told()).toEqual(['hasTrace', 'traceHere']);
  }
});

test('another editor has its own step', () => {
  const { item, tell } = started();
  tell({ uri: 'file:///b.aag', property: 'bad:0', step: 1, steps: 3 });
  expect(item.show).not.toHaveBeenCalled();
  window.activeTextEditor = { ...editorAt(0), document: { uri: { toString: () => 'file:///b.aag' } } };
  events.activeEditor.fire(window.activeTextEditor);
  expect(item.text).toBe('$(debug-step-over) step 1 of 2');
});

test('values are those of the property on the row of the cursor', async () => {
  const { server, steps, model } = started();
  await toggleValues(model, steps, editorAt(5) as never);
  expect(server.execute).toHaveBeenCalledWith(protocol.step, { uri, property: 'bad:2', to: 'last' });
});

test('values are taken away again, and those of another property on the row of the cursor shown instead', async () => {
  const { server, steps, model, tell } = started();
  tell({ uri, property: 'bad:1', step: 3, steps: 8 });
  for (const line of [0, 4, 5]) await toggleValues(model, steps, editorAt(line) as never);
  const hide = [protocol.step, { uri, to: 'hide' }];
  expect(server.execute.mock.calls).toEqual([hide, hide, [protocol.step, { uri, property: 'bad:2', to: 'last' }]]);
});

test('where several fail, the user says which', async () => {
  const { server, steps, model } = started();
  window.showQuickPick.mockImplementation(async (items: { property: string }[]) => items[1]);
  await toggleValues(model, steps, editorAt(0) as never);
  expect(window.showQuickPick.mock.calls[0]![0]).toHaveLength(2);
  expect(server.execute).toHaveBeenCalledWith(protocol.step, { uri, property: 'bad:2', to: 'last' });
});

test('a proved file says that there is nothing to show', async () => {
  const { server, steps, model } = started();
  model.apply({ uri, version: 2, whole: true, properties: [row('bad:0', 3, 'proved')] });
  await toggleValues(model, steps, editorAt(3) as never);
  expect(server.execute).not.toHaveBeenCalled();
  expect(window.showInformationMessage).toHaveBeenCalledWith(expect.stringContaining('no counterexample'));
});

test('a change is asked for with the place of the signal, a step without', async () => {
  const { server, steps, model, tell } = started();
  tell({ uri, property: 'bad:1', step: 3, steps: 8 });
  await move(model, steps, editorAt(5) as never, 'next');
  await move(model, steps, editorAt(5) as never, 'previousChange');
  expect(server.execute.mock.calls).toEqual([
    [protocol.step, { uri, property: 'bad:1', to: 'next' }],
    [protocol.step, { uri, property: 'bad:1', position: { line: 5, character: 3 }, to: 'previousChange' }],
  ]);
});

test('a step is asked for by its number', async () => {
  const { server, steps, model, tell } = started();
  tell({ uri, property: 'bad:1', name: 'full', step: 3, steps: 8 });
  window.showInputBox.mockResolvedValue(' 6 ');
  await goToStep(model, steps, editorAt(0) as never);
  expect(server.execute).toHaveBeenCalledWith(protocol.step, { uri, property: 'bad:1', to: '6' });
  expect([stepNumber('7', 7), stepNumber('8', 7), stepNumber('-1', 7), stepNumber('x', 7), stepNumber('', 7)]).toEqual([7, undefined, undefined, undefined, undefined]);
});

test('of a loop a step is asked for beyond its first round', async () => {
  const { server, steps, model, tell } = started();
  tell({ uri, property: 'justice:0', step: 2, steps: 3, loop: 1 });
  window.showInputBox.mockResolvedValue('7');
  await goToStep(model, steps, editorAt(0) as never);
  const [asked] = window.showInputBox.mock.lastCall as unknown as [{ prompt: string }];
  expect(asked.prompt).toContain('step 2 repeats for ever, step 3 is the first of the second round');
  expect(server.execute).toHaveBeenCalledWith(protocol.step, { uri, property: 'justice:0', to: '7' });
});

test('a pinned step holds against other properties, and comes back when another took its place', async () => {
  const { item, server, steps, model, tell } = started();
  tell({ uri, property: 'bad:1', step: 3, steps: 8 });
  await pin(steps, editorAt(0) as never);
  expect(item.text).toContain('$(pinned)');
  steps.follow({ uri, property: 'bad:2', to: '1' });
  expect(server.execute).not.toHaveBeenCalled();
  tell({ uri, property: 'bad:2', step: 0, steps: 4 });
  expect(server.execute.mock.calls).toEqual([[protocol.step, { uri, property: 'bad:1', to: '3' }]]);
  server.execute.mockClear();
  await toggleValues(model, steps, editorAt(5) as never);
  expect(server.execute.mock.calls).toEqual([[protocol.step, { uri, to: 'hide' }]]);
  expect(steps.pin).toBeUndefined();
});

test('a pinned step whose counterexample is gone stays away, without a message', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const { server, steps, tell } = started();
  tell({ uri, property: 'bad:1', step: 3, steps: 8 });
  await pin(steps, editorAt(0) as never);
  server.execute.mockRejectedValueOnce(new Refusal('there is no counterexample'));
  tell({ uri, property: 'bad:2', step: 0, steps: 4 });
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off('unhandledRejection', unhandled);
  expect(server.execute).toHaveBeenCalledWith(protocol.step, { uri, property: 'bad:1', to: '3' });
  expect(unhandled).not.toHaveBeenCalled();
});

test('a file that waits loses no request to another file', async () => {
  const { server, steps } = started();
  const other = 'file:///b.aag';
  let answer = () => {};
  server.execute.mockImplementationOnce(() => new Promise((resolve) => (answer = () => resolve(undefined))));
  steps.follow({ uri: other, property: 'bad:0', to: '1' });
  steps.clear(uri);
  steps.follow({ uri: other, property: 'bad:0', to: '2' });
  answer();
  const asked = () => server.execute.mock.calls.map(([, params]) => params);
  await vi.waitFor(() => expect(asked()).toHaveLength(3));
  expect(asked().slice(1)).toEqual([
    { uri, to: 'hide' },
    { uri: other, property: 'bad:0', to: '2' },
  ]);
});

test('values that are cleared end the pin in their file, and other steps are shown again', async () => {
  const { server, steps, tell } = started();
  tell({ uri, property: 'bad:1', step: 3, steps: 8 });
  await pin(steps, editorAt(0) as never);
  steps.clear('file:///b.aag');
  expect(steps.pin).toEqual({ uri, property: 'bad:1' });
  steps.clear(uri);
  expect(steps.pin).toBeUndefined();
  await steps.show({ uri, property: 'bad:2', to: 'last' });
  expect(server.execute).toHaveBeenLastCalledWith(protocol.step, { uri, property: 'bad:2', to: 'last' });
});

test('while an answer is awaited, only the last step that was asked for is kept', async () => {
  const { server, steps } = started();
  let answer = () => {};
  server.execute.mockImplementationOnce(() => new Promise((resolve) => (answer = () => resolve(undefined))));
  for (const step of [1, 2, 3, 4]) steps.follow({ uri, property: 'bad:1', to: `${step}` });
  answer();
  await vi.waitFor(() => expect(server.execute.mock.calls.map(([, params]) => (params as protocol.StepParams).to)).toEqual(['1', '4']));
});
