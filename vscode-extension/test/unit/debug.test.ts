// What the debug adapter is told, and what is read from its answers.
import { expect, test, vi } from 'vitest';
import { debugCounterexample, programOf, registerDebugging, simulate, stepOf } from '../../src/debug';
import { commands, configured, debug, Uri, window, workspace } from './vscode';

const document = (uri: string, isDirty: boolean) => ({ uri: Uri.parse(uri), isDirty, getText: () => 'aag 0 0 0 0 0\n', languageId: 'aiger' });

test('a saved file goes by its path, any other text as it is', () => {
  expect(programOf(document('file:///c/a.aag', false) as never)).toEqual({ program: '/c/a.aag' });
  expect(programOf(document('file:///c/a.aag', true) as never)).toEqual({ program: '/c/a.aag', text: 'aag 0 0 0 0 0\n' });
  expect(programOf(document('aiglens-aig:/c/a.aig', false) as never)).toMatchObject({ program: '/c/a.aig', text: 'aag 0 0 0 0 0\n', source: expect.stringMatching(/^aiglens-aig:/) });
});

test('a known counterexample is debugged as its witness', async () => {
  workspace.openTextDocument.mockResolvedValueOnce(document('file:///c/a.aag', true) as never);
  const exchange = { export: vi.fn(async () => ({ name: 'a.wit', text: '1\nb0\n0\n.\n' })) };
  await debugCounterexample(exchange as never, { uri: 'file:///c/a.aag', property: 'bad:0' });
  expect(exchange.export).toHaveBeenCalledWith({ uri: 'file:///c/a.aag', property: 'bad:0' }, 'witness');
  const [, configuration] = debug.startDebugging.mock.calls[0] as unknown as [unknown, Record<string, unknown>];
  expect(configuration).toMatchObject({ type: 'aiglens', request: 'launch', property: 'bad:0', witnessText: '1\nb0\n0\n.\n', program: '/c/a.aag', stopOnEntry: true });
  expect(configuration['text']).toBe('aag 0 0 0 0 0\n');
});

test('the adapter is that of the host; the circuit in the editor needs no launch.json', async () => {
  const steps = { follow: vi.fn() };
  registerDebugging({ debugAdapter: async () => 'adapter' } as never, steps as never, { of: () => [] });
  const [, adapters] = debug.registerDebugAdapterDescriptorFactory.mock.lastCall as unknown as [string, { createDebugAdapterDescriptor(): Promise<unknown> }];
  expect(await adapters.createDebugAdapterDescriptor()).toBe('adapter');
  workspace.isTrusted = false;
  await expect(adapters.createDebugAdapterDescriptor()).rejects.toThrow('not trusted');
  workspace.isTrusted = true;
  const [, provider] = debug.registerDebugConfigurationProvider.mock.lastCall as unknown as [string, { resolveDebugConfiguration(folder: unknown, configuration: object): unknown }];
  window.activeTextEditor = { document: document('file:///c/a.aag', false) };
  expect(provider.resolveDebugConfiguration(undefined, {})).toMatchObject({ type: 'aiglens', request: 'launch', program: '/c/a.aag' });
  window.activeTextEditor = { document: { ...document('file:///c/a.sv', false), languageId: 'plaintext' } };
  expect(provider.resolveDebugConfiguration(undefined, {})).toMatchObject({ program: '/c/a.sv' });
  window.activeTextEditor = undefined;
  expect(provider.resolveDebugConfiguration(undefined, {})).toBeUndefined();

  const [, trackers] = debug.registerDebugAdapterTrackerFactory.mock.lastCall as unknown as [string, { createDebugAdapterTracker(session: object): { onWillReceiveMessage(message: unknown): void; onDidSendMessage(message: unknown): void } | undefined }];
  expect(trackers.createDebugAdapterTracker({ configuration: { program: '/c/a.aag' } })).toBeUndefined();
  const tracker = trackers.createDebugAdapterTracker({ configuration: { uri: 'file:///c/a.aag', property: 'bad:0' } })!;
  tracker.onDidSendMessage({ type: 'event', event: 'stopped' });
  tracker.onWillReceiveMessage({ seq: 6, command: 'stackTrace', arguments: { startFrame: 1, levels: 19 } });
  tracker.onDidSendMessage({ type: 'response', request_seq: 6, command: 'stackTrace', body: { stackFrames: [{ id: 3, name: 'step 2 of 4' }] } });
  tracker.onWillReceiveMessage({ seq: 7, command: 'stackTrace', arguments: { startFrame: 0, levels: 1 } });
  tracker.onDidSendMessage({ type: 'response', request_seq: 7, command: 'stackTrace', body: { stackFrames: [{ id: 4, name: 'step 3 of 4 · x 0→1' }, { id: 3, name: 'step 2 of 4' }] } });
  tracker.onDidSendMessage({ type: 'response', request_seq: 8, command: 'stackTrace', body: { stackFrames: [{ id: 8, name: 'step 3 of round 2, loop of 2 to 5' }] } });
  expect(steps.follow.mock.calls).toEqual(['3', '7'].map((to) => [{ uri: 'file:///c/a.aag', property: 'bad:0', to }]));
});

test('a simulation is one of the text of the editor, which shows no values of a counterexample meanwhile', async () => {
  debug.startDebugging.mockClear();
  await simulate(document('file:///c/a.aag', true) as never);
  const [, configuration] = debug.startDebugging.mock.calls[0] as unknown as [unknown, Record<string, unknown>];
  expect(configuration).toMatchObject({ type: 'aiglens', request: 'launch', name: 'Simulate a.aag', program: '/c/a.aag', text: 'aag 0 0 0 0 0\n', simulate: true });
  const steps = { follow: vi.fn(), clear: vi.fn() };
  registerDebugging({} as never, steps as never, { of: () => [] });
  const [, trackers] = debug.registerDebugAdapterTrackerFactory.mock.lastCall as unknown as [string, { createDebugAdapterTracker(session: object): { onDidSendMessage(message: unknown): void } }];
  for (const launched of [configuration, { program: '/c/a.aag', simulate: true }]) {
    steps.clear.mockClear();
    const tracker = trackers.createDebugAdapterTracker({ configuration: launched });
    tracker.onDidSendMessage({ type: 'event', event: 'stopped' });
    expect(steps.clear).not.toHaveBeenCalled();
    tracker.onDidSendMessage({ type: 'response', request_seq: 6, command: 'stackTrace', body: { stackFrames: [{ id: 3, name: 'step 2' }] } });
    expect(steps.clear.mock.calls).toEqual([['file:///c/a.aag']]);
  }
  expect(steps.follow).not.toHaveBeenCalled();
});

test('a launch has the settings that say how files are read, unless it says so itself', () => {
  registerDebugging({} as never, {} as never, { of: (uri) => (uri === 'file:///c/w.aag' ? [{ word: 'q', radix: 'hex' }] : []) });
  const [, provider] = debug.registerDebugConfigurationProvider.mock.lastCall as unknown as [string, { resolveDebugConfigurationWithSubstitutedVariables(folder: unknown, configuration: object): unknown }];
  const resolve = (configuration: object) => provider.resolveDebugConfigurationWithSubstitutedVariables(undefined, configuration);
  configured.set('files.maxSize', 7);
  configured.set('blif', { oneStep: true });
  expect(resolve({ program: '/c/a.aag' })).toEqual({ program: '/c/a.aag', maxSize: 7, blif: { oneStep: true }, btor2: {} });
  expect(resolve({ maxSize: 9 })).toMatchObject({ maxSize: 9 });
  expect(resolve({ program: '/c/w.aag' })).toMatchObject({ radices: { q: 'hex' } });
  expect(resolve({ program: '/c/w.aag', radices: {} })).toMatchObject({ radices: {} });
  configured.set('verilog.yosys', '/opt/yosys');
  const open = [document('file:///c/a.sv', true), document('file:///c/b.v', true), document('file:///c/c.v', false), document('file:///c/a.aag', true)];
  workspace.textDocuments.push(...(open as never[]));
  const text = 'aag 0 0 0 0 0\n';
  expect(resolve({ program: '/c/a.sv' })).toEqual({ program: '/c/a.sv', maxSize: 7, text, verilog: { yosys: '/opt/yosys' }, texts: { '/c/a.sv': text, '/c/b.v': text } });
  workspace.textDocuments.length = 0;
  configured.clear();
});

test('only an answer with frames names a step', () => {
  expect(stepOf({ type: 'response', command: 'stackTrace', body: { stackFrames: [] } })).toBeUndefined();
  expect(stepOf({ type: 'response', command: 'scopes', body: {} })).toBeUndefined();
  expect(stepOf({ type: 'response', command: 'stackTrace' })).toBeUndefined();
});

test('the variables are shown when a run begins, unless the user wants no debug view', async () => {
  registerDebugging({} as never, {} as never, { of: () => [] });
  const started = debug.onDidStartDebugSession.mock.lastCall![0];
  const shown = () => commands.executeCommand.mock.calls.filter(([id]) => id === 'workbench.debug.action.focusVariablesView').length;
  await started({ type: 'node' });
  expect(shown()).toBe(0);
  await started({ type: 'aiglens' });
  expect(shown()).toBe(1);
  configured.set('openDebug', 'neverOpen');
  await started({ type: 'aiglens' });
  expect(shown()).toBe(1);
  configured.delete('openDebug');
});
