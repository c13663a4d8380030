import { beforeEach, expect, test, vi } from 'vitest';
import { Server } from '../../src/server';
import { StatusModel } from '../../src/status';
import { window } from './vscode';

const { Client } = vi.hoisted(() => {
  /** A client whose starts end when a test says so. */
  class Client {
    static readonly all: Client[] = [];
    state = 1;
    running = (_works: boolean): void => {};
    private starts: Promise<void> | undefined;
    constructor() {
      Client.all.push(this);
    }
    start(): Promise<void> {
      this.state = 3;
      return (this.starts ??= new Promise((resolve, reject) => {
        this.running = (works) => {
          this.state = works ? 2 : 1;
          this.starts = undefined;
          if (works) resolve();
          else reject(new Error('it ends at once'));
        };
      }));
    }
    isRunning = () => this.state === 2;
    sendRequest = async () => `answer of ${Client.all.indexOf(this)}`;
    async dispose(): Promise<void> {
      if (this.state !== 2) throw new Error('it cannot be stopped');
      this.state = 1;
    }
    onDidChangeState(): void {}
    registerFeature(): void {}
    onNotification(): void {}
    createDefaultErrorHandler(): void {}
    getFeature(): void {}
  }
  return { Client };
});

vi.mock('vscode-languageclient/node', () => ({
  LanguageClient: Client,
  State: { Stopped: 1, Running: 2, Starting: 3 },
  ExecuteCommandRequest: { method: 'workspace/executeCommand' },
  RevealOutputChannelOn: {},
  ResponseError: class extends Error {},
}));
vi.mock('../../src/binary', () => ({ findBinary: async () => ({ path: 'aiglens' }) }));
vi.mock('../../src/early', () => ({ answerEarly: () => ({ dispose() {} }) }));
vi.mock('../../src/versions', () => ({ difference: () => undefined }));

const log = { info() {}, debug() {}, warn() {}, error: vi.fn() };
let server: Server;

const ask = () => server.execute('aiglens.check' as never, {});
/** The client of a number, once it starts. */
const client = (n: number) => vi.waitFor(() => expect(Client.all[n]?.state).toBe(3)).then(() => Client.all[n]!);

beforeEach(async () => {
  Client.all.length = 0;
  window.showErrorMessage = vi.fn() as never;
  server = new Server({ extension: { packageJSON: {} } } as never, log as never, new StatusModel(), {});
});

test('what is asked while the server starts is answered once it runs', async () => {
  void server.start();
  const asked = ask();
  expect(server.state).toBe('starting');
  (await client(0)).running(true);
  expect(await asked).toBe('answer of 0');
  expect(server.state).toBe('running');
});

test('where it does not start the user is told, and no question waits', async () => {
  void server.start();
  const asked = ask();
  (await client(0)).running(false);
  expect(await asked).toBeUndefined();
  expect(server.state).toBe('stopped');
  expect(window.showErrorMessage).toHaveBeenCalled();
});

test('what is asked while a server that died starts anew is answered by the next', async () => {
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

test('a restart leaves no client beside the next, not even one that starts anew', async () => {
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
