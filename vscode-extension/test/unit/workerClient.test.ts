// The client of a server that is a worker: a worker for each start, which ends with the client.
import { beforeEach, expect, test, vi } from 'vitest';
import { WorkerClient } from '../../src/web/client';

vi.mock('vscode-languageclient/browser', () => ({
  BaseLanguageClient: class {
    async shutdown(): Promise<void> {
      throw new Error('it does not answer');
    }
  },
  BrowserMessageReader: class {
    closed = vi.fn();
    fireClose(): void {
      this.closed();
    }
  },
  BrowserMessageWriter: class {},
}));

interface Client {
  createMessageTransports(): Promise<{ reader: { closed: unknown } }>;
  shutdown(): Promise<void>;
}

const ends: (() => void)[] = [];
const workers = {
  start: vi.fn(async (_role: string, ended: () => void) => {
    ends.push(ended);
    return { port: {}, end: vi.fn() };
  }),
};
let client: Client;

beforeEach(() => {
  client = new WorkerClient(workers as never, {} as never) as never;
});

test('a worker that ends closes the connection, and the next start has another one', async () => {
  const { reader } = await client.createMessageTransports();
  ends.at(-1)!();
  expect(reader.closed).toHaveBeenCalledOnce();
  const first = await workers.start.mock.results[0]!.value;
  await client.createMessageTransports();
  expect(first.end).toHaveBeenCalledOnce();
  expect(workers.start).toHaveBeenCalledTimes(2);
});

test('a client that is given up ends its worker', async () => {
  await client.createMessageTransports();
  const worker = await workers.start.mock.results.at(-1)!.value;
  await expect(client.shutdown()).rejects.toThrow('it does not answer');
  expect(worker.end).toHaveBeenCalledOnce();
});
