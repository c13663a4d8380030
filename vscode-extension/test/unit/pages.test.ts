// Pages about a circuit: where they open, and what the commands on them are about.
import { beforeEach, expect, test, vi } from 'vitest';
import { registerCommands } from '../../src/commands';
import { followContexts } from '../../src/contexts';
import { historyUri } from '../../src/history';
import { activeSubject, isAbout, proofScheme, showPage } from '../../src/pages';
import { circuitEditor, circuitUri, columnOf } from '../../src/places';
import * as protocol from '../../src/protocol';
import { StatusModel } from '../../src/status';
import { bad, uri, whole } from './statuses';
import { commands, languages, Uri, window } from './vscode';

const editorOf = (address: Uri, viewColumn: number, line = 0) => ({ document: { uri: address, languageId: address.scheme === 'file' ? 'aiger' : 'plaintext' }, viewColumn, selection: { active: { line, character: 0 } } });
const circuit = editorOf(Uri.parse(uri), 1, 99);
const proof = editorOf(Uri.from({ scheme: proofScheme, path: '/a.aag bad 1 proof.txt', query: JSON.stringify([uri, 'bad:1', 'proof']) }), 2);

const model = new StatusModel();
const checks = { check: vi.fn() };
const server = { execute: vi.fn(async () => undefined) };
registerCommands(server as never, checks as never, model, {} as never, { show: vi.fn() } as never);
const run = Object.fromEntries(commands.registerCommand.mock.calls as unknown as [string, (argument?: unknown) => Promise<void>][]);

beforeEach(() => {
  vi.clearAllMocks();
  model.apply(whole([bad(0, { verdict: 'proved', freshness: 'fresh' }), bad(1, { verdict: 'proved', freshness: 'fresh' }), bad(2, { verdict: 'unknown', freshness: 'fresh' })]));
  window.visibleTextEditors = [circuit, proof];
  window.activeTextEditor = proof;
  return () => {
    window.visibleTextEditors = [];
    window.activeTextEditor = undefined;
  };
});

test('a page is about its circuit, and texts that it leads to open beside it', () => {
  expect(activeSubject()).toEqual({ uri, property: 'bad:1' });
  expect(circuitEditor()).toBe(circuit);
  expect(circuitUri()).toBe(uri);
  expect(columnOf(Uri.parse('file:///c/other.blif') as never)).toBe(1);
  window.activeTextEditor = editorOf(historyUri(uri) as never, 2);
  expect(activeSubject()).toEqual({ uri });
  window.activeTextEditor = circuit;
  expect(activeSubject()).toBeUndefined();
});

test('a page opens beside the circuit, or where another one is', async () => {
  const columns = () => window.showTextDocument.mock.calls.map(([, { viewColumn }]) => viewColumn);
  await showPage({} as never, 1);
  window.visibleTextEditors = [circuit];
  await showPage({} as never, 1);
  await showPage({} as never, undefined);
  expect(columns()).toEqual([2, 2, -2]);
});

test('commands on a page are about its property', async () => {
  await run['aiglens.checkProperty']!();
  expect(checks.check).toHaveBeenLastCalledWith({ uri, property: 'bad:1' });
  await run['aiglens.checkFile']!();
  expect(checks.check).toHaveBeenLastCalledWith({ uri });
  languages.getDiagnostics.mockReturnValueOnce([]);
  await run['aiglens.showUnneeded']!();
  expect(server.execute).toHaveBeenLastCalledWith(protocol.unneeded, { uri, property: 'bad:1' });
  languages.getDiagnostics.mockReturnValueOnce([{ code: 'unneeded' }]);
  await run['aiglens.showUnneeded']!();
  expect(server.execute).toHaveBeenLastCalledWith(protocol.unneeded, { uri, hide: true });
});

test('a circuit that is not in view is opened beside its page', async () => {
  window.visibleTextEditors = [proof];
  window.showTextDocument.mockResolvedValueOnce(circuit);
  await run['aiglens.checkFile']!();
  expect(window.showTextDocument).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ preserveFocus: true }));
  expect(checks.check).toHaveBeenLastCalledWith({ uri });
});

test('of several properties that are meant the user says which, of one that is left unknown nothing is asked', async () => {
  window.activeTextEditor = circuit;
  languages.getDiagnostics.mockReturnValue([]);
  window.showQuickPick.mockImplementationOnce(async (items: { property: string }[]) => items[1]);
  await run['aiglens.showUnneeded']!();
  expect(server.execute).toHaveBeenLastCalledWith(protocol.unneeded, { uri, property: 'bad:1' });
  await run['aiglens.suggestLemmas']!();
  expect(window.showQuickPick).toHaveBeenCalledOnce();
  expect(server.execute).toHaveBeenLastCalledWith(protocol.suggest, { uri, property: 'bad:2' });
});

test('menus know what the page is about, and what a panel is', () => {
  const contexts = followContexts(model, { onDidChange: vi.fn(() => ({ dispose: vi.fn() })), shownIn: () => undefined } as never);
  const told = () => Object.fromEntries(commands.executeCommand.mock.calls.map(([, name, value]) => [name, value]));
  expect(told()).toMatchObject({ 'aiglens.circuitHere': true, 'aiglens.proofHere': true, 'aiglens.hasUnknown': true, 'aiglens.hasCounterexample': false });
  const panel = { active: true, onDidChangeViewState: vi.fn<(changed: () => void) => void>(), onDidDispose: vi.fn() };
  isAbout(panel as never, () => ({ uri: 'file:///c/other.aag' }));
  window.activeTextEditor = undefined;
  panel.onDidChangeViewState.mock.calls[0]![0]();
  expect(told()).toMatchObject({ 'aiglens.circuitHere': true, 'aiglens.hasProperties': false });
  contexts.dispose();
});
