// The extension in a browser: what is in its bundle, and how it starts the workers and answers them.
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeEach, expect, test, vi } from 'vitest';
import { web } from '../../bundles.mjs';
import { withAddress } from '../../src/web/debugAdapter';
import type { Start, ToOwner, ToWorker } from '../../src/web/messages';
import { answer, Workers } from '../../src/web/workers';
import { FileSystemError, Uri, workspace } from './vscode';

test('the bundle has nothing of Node', async () => {
  const { metafile, outputFiles } = await build({ ...web, write: false, metafile: true });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  expect(imports).toEqual(['vscode', ...imports.slice(1).filter((path) => path === 'vscode')]);
  expect(Object.keys(metafile.inputs).filter((path) => /^src\/node\/|\/lib\/node\/|^node:/.test(path))).toEqual([]);
  expect(outputFiles[0]!.text).not.toMatch(/\brequire\("(?!vscode")/);
});

/** A worker that a test speaks for. */
class FakeWorker {
  static readonly all: FakeWorker[] = [];
  readonly told: ToWorker[] = [];
  isTerminated = false;
  onmessage = (_: { data: ToOwner }): void => {};
  onerror = (_: { message: string }): void => {};
  constructor(readonly script: string) {
    FakeWorker.all.push(this);
  }
  postMessage(message: ToWorker): void {
    this.told.push(message);
  }
  terminate(): void {
    this.isTerminated = true;
  }
  says(data: ToOwner): void {
    this.onmessage({ data });
  }
  get start(): Start {
    return this.told[0] as Start;
  }
}

const emptyModule = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const log = { info: vi.fn(), error: vi.fn() };
let workers: Workers;

beforeEach(() => {
  vi.clearAllMocks();
  FakeWorker.all.length = 0;
  vi.stubGlobal('Worker', FakeWorker);
  workspace.fs.readFile.mockImplementation(async (uri) => (`${uri}`.endsWith('.wasm.gz') ? gzipSync(emptyModule) : new TextEncoder().encode(`${uri}`)));
  workers = new Workers(Uri.parse('vscode-remote://host/x') as never, log);
});

test('a worker gets the script and the module of the extension, which is read and compiled once', async () => {
  const first = await workers.start('serve', vi.fn());
  const [server] = FakeWorker.all;
  expect(server!.script).toMatch(/^blob:/);
  expect(await (await fetch(server!.script)).text()).toBe('vscode-remote://host/x/dist/web/serverWorker.js');
  expect(server!.start).toMatchObject({ kind: 'start', role: 'serve', module: expect.any(WebAssembly.Module), checker: expect.any(WebAssembly.Module) });
  server!.says({ kind: 'log', text: 'ready' });
  expect(log.info).toHaveBeenCalledWith('ready');

  const received = new Promise((resolve) => (first.port.onmessage = ({ data }) => resolve(data)));
  server!.start.port.postMessage({ id: 1 });
  expect(await received).toEqual({ id: 1 });

  const second = await workers.start('debug', vi.fn());
  expect(FakeWorker.all[1]!.start.role).toBe('debug');
  expect(FakeWorker.all[1]!.start.module).toBe(server!.start.module);
  expect(workspace.fs.readFile).toHaveBeenCalledTimes(3);
  second.end();
  expect(FakeWorker.all.map(({ isTerminated }) => isTerminated)).toEqual([false, true]);
  first.end();
});

test.each<[string, (worker: FakeWorker) => void, string[]]>([
  ['ends by itself', (worker) => worker.says({ kind: 'ended' }), []],
  ['cannot load the module', (worker) => worker.says({ kind: 'ended', reason: 'no module' }), ['no module']],
  ['has no script', (worker) => worker.onerror({ message: 'no script' }), ['no script']],
])('a worker that %s is over, with its reason in the log', async (_, end, reasons) => {
  const ended = vi.fn();
  await workers.start('serve', ended);
  end(FakeWorker.all[0]!);
  expect(ended).toHaveBeenCalledOnce();
  expect(FakeWorker.all[0]!.isTerminated).toBe(true);
  expect(log.error.mock.calls.flat()).toEqual(reasons);
});

test('a script that cannot be read is asked for again', async () => {
  workspace.fs.readFile.mockRejectedValueOnce(new Error('offline'));
  await expect(workers.start('serve', vi.fn())).rejects.toThrow('offline');
  await workers.start('serve', vi.fn());
  expect(FakeWorker.all).toHaveLength(1);
});

test('files are those that VS Code reads; one that is missing is said to be', async () => {
  const ask = (call: 'stat' | 'read' | 'list') => answer({ number: 7, call, uri: 'vscode-vfs://github/o/r/a.blif' });
  workspace.fs.stat.mockResolvedValueOnce({ type: 1, size: 3, mtime: 5, ctime: 4 });
  expect(await ask('stat')).toEqual({ kind: 'answer', number: 7, value: { type: 1, size: 3, mtime: 5 } });
  expect(await ask('read')).toEqual({ kind: 'answer', number: 7, value: new TextEncoder().encode('vscode-vfs://github/o/r/a.blif') });
  workspace.fs.readDirectory.mockResolvedValueOnce([['a.blif', 1]]);
  expect(await ask('list')).toEqual({ kind: 'answer', number: 7, value: [['a.blif', 1]] });
  workspace.fs.readFile.mockRejectedValueOnce(new FileSystemError('none', 'FileNotFound'));
  expect(await ask('read')).toEqual({ kind: 'answer', number: 7, error: 'none', missing: true });
  workspace.fs.readFile.mockRejectedValueOnce(new Error('offline'));
  expect(await ask('read')).toEqual({ kind: 'answer', number: 7, error: 'offline', missing: false });
});

test('a launch names its file by an address', () => {
  const folder = Uri.parse('vscode-vfs://github/o/r') as never;
  const launch = (asked: object) => (withAddress({ command: 'launch', arguments: asked } as never, folder) as unknown as { arguments: { program?: string } }).arguments;
  expect(launch({ program: '/o/r/a.aag', text: 't' })).toEqual({ program: expect.stringMatching(/^vscode-vfs:.*\/o\/r\/a\.aag/), text: 't' });
  expect(launch({ program: '\\o\\r\\a.aag' }).program).toMatch(/\/o\/r\/a\.aag/);
  expect(launch({ program: '/a.aag', uri: 'memfs:/a.aag' }).program).toMatch(/^memfs:/);
  expect(launch({ program: 'memfs:/a.aag' })).toEqual({ program: 'memfs:/a.aag' });
  const other = { command: 'next', arguments: { program: '/a' } } as never;
  expect(withAddress(other, folder)).toBe(other);
});
