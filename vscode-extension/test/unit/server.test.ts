import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Server } from '../../src/server';
import { StatusModel } from '../../src/status';
import { commands, window } from './vscode';

const { Client } = vi.hoisted(() => {
  /** A client whose starts end when a test says so. */
  class Client {
    static readonly all: Client[] = [];
    state = 1;
    running = (_works: boolean): void => {};
    private starts: Promise<void> | undefined;
    private changed = (): void => {};
    constructor(
      readonly options: { errorHandler: { closed(): unknown; error(error: Error): unknown } },
    ) {
      Client.all.push(this);
    }
    start(): Promise<void> {
      if (this.starts !== undefined) return this.starts;
      this.starts = new Promise((resolve, reject) => {
        this.running = (works) => {
          this.state = works ? 2 : 1;
          this.starts = undefined;
          if (works) resolve();
          else reject(new Error('it ends at once'));
        };
      });
      this.state = 3;
      this.changed();
      return this.starts;
    }
    isRunning = () => this.state === 2;
    sendRequest = async () => `answer of ${Client.all.indexOf(this)}`;
    async dispose(): Promise<void> {
      if (this.state !== 2) {
        this.running(false); // its process ends
        throw new Error('it cannot be stopped');
      }
      this.state = 1;
    }
    onDidChangeState(changed: () => void): void {
      this.changed = changed;
    }
    registerFeature(): void {}
    readonly listeners = new Map<string, (params: unknown) => void>();
    onNotification(method: string, listener: (params: unknown) => void): void {
      this.listeners.set(method, listener);
    }
    /** What the language client does by itself. */
    static byItself = { closed: () => ({ action: 2 }), error: () => ({ action: 1 }) };
    createDefaultErrorHandler = () => Client.byItself;
    getFeature(): void {}
  }
  return { Client };
});

vi.mock('vscode-languageclient', () => ({
  MessageType: { Error: 1, Warning: 2, Info: 3 },
  ShowMessageNotification: { type: 'window/showMessage' },
  State: { Stopped: 1, Running: 2, Starting: 3 },
  ExecuteCommandRequest: { method: 'workspace/executeCommand' },
  RevealOutputChannelOn: {},
  CloseAction: { DoNotRestart: 1, Restart: 2 },
  ErrorAction: { Continue: 1, Shutdown: 2 },
  ResponseError: class extends Error {},
}));
const early = vi.hoisted(() => ({ held: 0 }));
vi.mock('../../src/early', async (original) => ({ ...(await original<object>()),
  answerEarly: () => {
    early.held++;
    return { dispose: () => early.held-- };
  },
}));
vi.mock('../../src/versions', () => ({ difference: () => undefined }));

const host = { schemes: ['file'], program: () => {}, findServer: async () => ({ name: 'aiglens', client: (options: never) => new Client(options) }) };
const log = { info() {}, debug() {}, warn() {}, error: vi.fn() };
let server: Server;

const ask = () => server.execute('aiglens.check' as never, {});
/** The client of a number, once it starts. */
const client = (n: number) => vi.waitFor(() => expect(Client.all[n]?.state).toBe(3)).then(() => Client.all[n]!);

beforeEach(async () => {
  Client.all.length = 0;
  early.held = 0;
  window.showErrorMessage = vi.fn() as never;
  commands.getCommands = vi.fn(async () => []);
  server = new Server({ extension: { packageJSON: {} } } as never, host as never, log as never, new StatusModel(), {});
});

afterEach(() => vi.useRealTimers());

test('what is asked while the server starts is answered once it runs', async () => {
  void server.start();
  const asked = ask();
  expect(server.state).toBe('starting');
  (await client(0)).running(true);
  expect(await asked).toBe('answer of 0');
  expect(server.state).toBe('running');
});

test('what the server says is told as everything is', async () => {
  void server.start();
  (await client(0)).running(true);
  Client.all[0]!.listeners.get('window/showMessage')!({ type: 2, message: 'aiglens: it is slow' });
  expect(window.showWarningMessage).toHaveBeenCalledWith('aiglens: it is slow');
});

test('where it does not start the user is told, and no question waits', async () => {
  void server.start();
  const asked = ask();
  (await client(0)).running(false);
  expect(await asked).toBeUndefined();
  expect(server.state).toBe('stopped');
  expect(window.showErrorMessage).toHaveBeenCalled();
});

test('what is asked while a server that died restarts is answered by the next', async () => {
  void server.start();
  (await client(0)).running(true);
  await ask();
  void Client.all[0]!.start(); // as the client does by itself
  expect(server.state).toBe('starting');
  const asked = ask();
  Client.all[0]!.running(true);
  expect(await asked).toBe('answer of 0');
  expect(window.showErrorMessage).not.toHaveBeenCalled();
});

test('a restart leaves no client beside the next, not even one that restarts', async () => {
  void server.start();
  (await client(0)).running(true);
  await ask();
  void Client.all[0]!.start();
  const restarted = server.restart();
  await Promise.resolve();
  Client.all[0]!.running(true);
  (await client(1)).running(true);
  await restarted;
  expect(Client.all.map(({ state }) => state)).toEqual([1, 2]);
  expect(await ask()).toBe('answer of 1');
});

test('questions are held until VS Code knows that the server runs, and again while it restarts', async () => {
  let known = (): void => {};
  commands.getCommands = vi.fn(() => new Promise<never[]>((resolve) => (known = () => resolve([]))));
  void server.start();
  expect((await client(0)).state).toBe(3);
  expect(early.held).toBe(1);
  Client.all[0]!.running(true);
  await ask();
  expect(early.held).toBe(1);
  known();
  await vi.waitFor(() => expect(early.held).toBe(0));

  void Client.all[0]!.start(); // as the client does by itself
  expect(early.held).toBe(1);
  Client.all[0]!.running(true);
  await ask();
  expect(early.held).toBe(1);
  known();
  await vi.waitFor(() => expect(early.held).toBe(0));
});

test('a server that does not answer is told of, and a restart ends it', async () => {
  vi.useFakeTimers();
  let choose = (_choice?: string): void => {};
  window.showErrorMessage = vi.fn(() => new Promise((resolve) => (choose = resolve))) as never;
  void server.start();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(window.showErrorMessage).not.toHaveBeenCalled();
  const asked = ask();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(window.showErrorMessage).toHaveBeenCalledWith(expect.stringContaining('has not answered yet'), 'Restart Server', 'Open Settings', 'Show Log');
  choose('Restart Server');
  await vi.advanceTimersByTimeAsync(0);
  Client.all[1]!.running(true);
  expect(await asked).toBe('answer of 1');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(window.showErrorMessage).toHaveBeenCalledTimes(1);
});

test('where a server that dies too often is given up, the user is offered a restart', async () => {
  void server.start();
  (await client(0)).running(true);
  await vi.waitFor(() => expect(server.state).toBe('running'));
  const { errorHandler } = Client.all[0]!.options;
  expect(await errorHandler.closed()).toEqual({ action: 2 });
  expect(await errorHandler.error(new Error('no'))).toEqual({ action: 1 });
  expect(window.showErrorMessage).not.toHaveBeenCalled();
  Object.assign(Client.byItself, { closed: () => ({ action: 1, message: 'five times' }), error: () => ({ action: 2 }) });
  vi.mocked(window.showErrorMessage).mockResolvedValueOnce('Restart Server' as never);
  expect(await errorHandler.closed()).toMatchObject({ action: 1, handled: true });
  expect(window.showErrorMessage).toHaveBeenLastCalledWith(expect.stringContaining('crashed too often'), 'Restart Server', 'Open Settings', 'Show Log');
  (await client(1)).running(true);
  await vi.waitFor(() => expect(server.state).toBe('running'));
  expect(await errorHandler.error(new Error('broken pipe'))).toMatchObject({ action: 2, handled: true });
  expect(window.showErrorMessage).toHaveBeenLastCalledWith(expect.stringContaining('broken pipe'), 'Restart Server', 'Open Settings', 'Show Log');
});
