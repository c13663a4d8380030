import { beforeEach, expect, test, vi } from 'vitest';
import { registerCluster } from '../../src/cluster';
import type { ClusterParams } from '../../src/protocol';
import { EventEmitter, languages } from './vscode';

const item = { text: '', detail: undefined as unknown, busy: false, severity: 0, command: undefined, dispose: vi.fn() };
const changed = new EventEmitter<void>();
const server = { running: {} as unknown, onDidChangeState: changed.event, listen: vi.fn() };
let tell: (stands: ClusterParams) => void;

beforeEach(() => {
  vi.clearAllMocks();
  languages.createLanguageStatusItem.mockReturnValue(item);
  server.running = {};
  server.listen.mockImplementation((_: unknown, listener: typeof tell) => {
    tell = listener;
    return { dispose: vi.fn() };
  });
  const registered = registerCluster(server as never);
  return () => registered.dispose();
});

test('there is an item while a cluster is set', () => {
  tell({ state: 'off' });
  expect(languages.createLanguageStatusItem).not.toHaveBeenCalled();
  tell({ state: 'connecting' });
  expect(item).toMatchObject({ text: 'Cluster: connecting…', busy: true, severity: 0 });
  tell({ state: 'connected', nodes: 3 });
  expect(item).toMatchObject({ text: 'Cluster: 3 nodes work', busy: false, severity: 0, detail: '' });
  tell({ state: 'connected' });
  expect(item.text).toBe('Cluster: no node works');
  expect(languages.createLanguageStatusItem).toHaveBeenCalledTimes(1);
  tell({ state: 'off' });
  expect(item.dispose).toHaveBeenCalledTimes(1);
});

test('a lost connection is a warning with its cause', () => {
  tell({ state: 'lost', problem: 'no server answers there' });
  expect(item).toMatchObject({ text: 'Cluster: not connected', severity: 1, detail: 'checks run here', command: { tooltip: 'no server answers there' } });
});

test('a server that has ended has no cluster', () => {
  tell({ state: 'connected', nodes: 1 });
  changed.fire();
  expect(item.dispose).not.toHaveBeenCalled();
  server.running = undefined;
  changed.fire();
  expect(item.dispose).toHaveBeenCalledTimes(1);
});
