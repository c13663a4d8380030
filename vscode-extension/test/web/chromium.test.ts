// The program in a browser, from a static server, under a policy as strict as a page can have.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumArguments, chromiumPath } from '../lib/editor';
import { extension } from '../lib/paths';
import { example } from './client';

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
const types: Record<string, string> = { '.js': 'text/javascript', '.wasm': 'application/wasm', '': 'text/html' };

let browser: Browser;
let context: BrowserContext;
let server: Server;
let origin: string;
const requests: string[] = [];

beforeAll(async () => {
  server = createServer(({ url = '' }, answer) => {
    answer.setHeader('Content-Type', types[extname(url)] ?? 'text/plain');
    answer.setHeader('Content-Security-Policy', policy);
    answer.end(extname(url) === '' ? '<!doctype html><title>test</title>' : readFileSync(join(extension, 'dist', 'web', url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  browser = await chromium.launch({ executablePath: chromiumPath(), args: chromiumArguments });
  context = await browser.newContext();
  context.on('request', (request) => requests.push(request.url()));
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

/** Opens a page, checks a text there, and returns the diagnostic of its verdict, and when what had happened. */
async function visit(text: string): Promise<{ code: string; times: Record<string, number>; entries: number }> {
  const page = await context.newPage();
  await page.goto(origin);
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
  expect(requests.filter((url) => !url.startsWith(origin))).toEqual([]);
  console.log(`milliseconds from an empty cache: ${JSON.stringify(cold.times)}; again: ${JSON.stringify(warm.times)}`);
});
