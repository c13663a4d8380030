// The program in a browser, from an empty cache on.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { example } from './client';
import { type Host, openHost } from './host';

let host: Host;
const requests: string[] = [];

beforeAll(async () => {
  host = await openHost();
  host.context.on('request', (request) => requests.push(request.url()));
});

afterAll(() => host?.close());

/** Opens a page, checks a text there, and returns the diagnostic of its verdict, and when what had happened. */
async function visit(text: string): Promise<{ code: string; times: Record<string, number>; entries: number }> {
  const page = await host.context.newPage();
  await page.goto(host.origin);
  const found = await page.evaluate(async (text) => {
    const times: Record<string, number> = {};
    const note = (what: string) => (times[what] = Math.round(performance.now()));
    const worker = new Worker('serverWorker.js');
    const { port1: port, port2 } = new MessageChannel();
    worker.onmessage = ({ data }) => data.kind === 'started' && note('started');
    worker.postMessage({ kind: 'start', role: 'serve', module: `${location.href}aiglens.wasm`, checker: `${location.href}checker.wasm`, port: port2 }, [port2]);
    const tell = (method: string, params: unknown, id?: number) => port.postMessage({ jsonrpc: '2.0', method, params, ...(id !== undefined && { id }) });
    const code = await new Promise<string>((resolve) => {
      port.onmessage = ({ data: { id, method, params } }) => {
        if (method === undefined) {
          note('initialized');
          tell('initialized', {});
          tell('textDocument/didOpen', { textDocument: { uri: 'page:/a.aag', languageId: '', version: 1, text } });
          tell('textDocument/didSave', { textDocument: { uri: 'page:/a.aag' } });
        } else if (id !== undefined) port.postMessage({ jsonrpc: '2.0', id, result: null });
        const verdict = method === 'textDocument/publishDiagnostics' && params.diagnostics.find(({ code }: { code: string }) => ['proved', 'refuted'].includes(code));
        if (verdict) resolve(verdict.code);
      };
      tell('initialize', { processId: null, rootUri: null, capabilities: {}, initializationOptions: {} }, 1);
    });
    note('verdict');
    // The server keeps a verdict after it has told it.
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('aiglens');
      opening.onsuccess = () => resolve(opening.result);
    });
    const count = () =>
      new Promise<number>((resolve) => {
        const counting = database.transaction('entries').objectStore('entries').count();
        counting.onsuccess = () => resolve(counting.result);
      });
    let entries = await count();
    while (entries === 0) entries = await count();
    return { code, times, entries };
  }, text);
  await page.close();
  return found;
}

test('a page gets a verdict, keeps it, and nothing leaves its origin', async () => {
  const cold = await visit(example('semaphore2.aag'));
  expect(cold).toMatchObject({ code: 'proved', entries: 1 });
  const warm = await visit(example('semaphore2.aag'));
  expect(warm).toMatchObject({ code: 'proved', entries: 1 });
  expect(requests.filter((url) => !url.startsWith(host.origin))).toEqual([]);
  console.log(`milliseconds from an empty cache: ${JSON.stringify(cold.times)}; again: ${JSON.stringify(warm.times)}`);
});
