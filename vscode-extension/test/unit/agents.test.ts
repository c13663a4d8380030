import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import manifest from '../../package.json';
import { registerAgents } from '../../src/agents';
import type { Host } from '../../src/host';
import { configure, configured, events, type Folder, lm, type McpProvider, Uri, workspace } from './vscode';

const host: Pick<Host, 'program'> = { program: async () => ({ path: '/bin/aiglens' }) };
const server = { version: Promise.resolve('0.1.0') };
let provider: McpProvider;
const told = vi.fn(() => {});

const folders = (...uris: string[]): Folder[] => uris.map((uri) => ({ uri: Uri.parse(uri), name: uri }));

beforeEach(() => {
  configured.clear();
  workspace.workspaceFolders = folders('file:///a', 'file:///b c');
  const unregister = vi.fn();
  lm.registerMcpServerDefinitionProvider = vi.fn((_id: string, one: McpProvider) => {
    provider = one;
    return { dispose: unregister };
  });
  const registered = registerAgents(host, server);
  told.mockClear();
  provider.onDidChangeMcpServerDefinitions(told);
  return () => {
    registered.dispose();
    expect(unregister).toHaveBeenCalledTimes(1);
    workspace.workspaceFolders = undefined;
  };
});

test('agents get the program of the language server, and the folders', async () => {
  expect(await provider.provideMcpServerDefinitions()).toEqual([
    { label: 'aiglens', command: '/bin/aiglens', args: ['mcp', '--folder', '/a', '--folder', '/b c'], env: {}, version: '0.1.0' },
  ]);
  expect(manifest.contributes.mcpServerDefinitionProviders.map(({ id }) => id)).toEqual([vi.mocked(lm.registerMcpServerDefinitionProvider!).mock.lastCall?.[0]]);
});

test('only folders on a disk are read, and without one there is no server', async () => {
  workspace.workspaceFolders = folders('vscode-vfs://github/a', 'file:///b');
  expect(await provider.provideMcpServerDefinitions()).toMatchObject([{ args: ['mcp', '--folder', '/b'] }]);
  workspace.workspaceFolders = folders('vscode-vfs://github/a');
  expect(await provider.provideMcpServerDefinitions()).toEqual([]);
  workspace.workspaceFolders = undefined;
  expect(await provider.provideMcpServerDefinitions()).toEqual([]);
});

test('folders that are not trusted have no server, nor has one that the setting turns off', async () => {
  workspace.isTrusted = false;
  onTestFinished(() => void (workspace.isTrusted = true));
  expect(await provider.provideMcpServerDefinitions()).toEqual([]);
  workspace.isTrusted = true;
  expect(await provider.provideMcpServerDefinitions()).toHaveLength(1);
  configure('agents.enabled', false);
  expect(await provider.provideMcpServerDefinitions()).toEqual([]);
});

test('what is turned off while a program is looked for stays off', async () => {
  const asked = provider.provideMcpServerDefinitions();
  configure('agents.enabled', false);
  expect(await asked).toEqual([]);
});

test('VS Code is told of each change that matters', () => {
  events.folders.fire({});
  events.trust.fire();
  configure('server.path', '/else/aiglens');
  configure('agents.enabled', false);
  expect(told).toHaveBeenCalledTimes(4);
  configure('check.trigger', 'manual');
  expect(told).toHaveBeenCalledTimes(4);
});

test('without a program there is no server', async () => {
  const { dispose } = registerAgents({ program: async () => ({ problem: 'there is none' }) }, server);
  onTestFinished(dispose);
  expect(await provider.provideMcpServerDefinitions()).toEqual([]);
});

test('nothing is registered where the server is no program, or the editor has no such API', () => {
  registerAgents({}, server).dispose();
  expect(lm.registerMcpServerDefinitionProvider).toHaveBeenCalledTimes(1);
  lm.registerMcpServerDefinitionProvider = undefined;
  registerAgents(host, server).dispose();
});
