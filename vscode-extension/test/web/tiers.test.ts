// Circuits of competitions in a browser, compared with the native server: tiers smoke and small of the benchmarks that
// AIGLENS_SHARED has. It takes minutes, so it runs with AIGLENS_LONG alone; with nice -n 10 times can be compared, as the
// native server gives its checks that priority.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';
import type { PropertyStatus } from '../../src/protocol';
import { root } from '../lib/paths';
import { openHost } from './host';

const benchmarks = join(resolve(root, process.env['AIGLENS_SHARED'] ?? '../shared'), 'benchmarks');
const isThere = process.env['AIGLENS_LONG'] !== undefined && existsSync(benchmarks);
if (!isThere) console.log('skipped: circuits of competitions need AIGLENS_LONG and the benchmarks of AIGLENS_SHARED');

/** What each file may take, in seconds, and the part of each tier that must have an answer by then. */
const limit = 10;
const wanted: Record<string, number> = { smoke: 0.95, small: 0.9 };

interface Row {
  file: string;
  property: string;
  expected: string;
  tier: string;
}

function rows(): Row[] {
  const [head, ...lines] = readFileSync(join(benchmarks, 'peers.csv'), 'utf8').trim().split('\n').map((line) => line.split(','));
  const all = lines.map((line) => Object.fromEntries(head!.map((name, i) => [name, line[i]])) as unknown as Row);
  return all.filter(({ tier, property }) => tier in wanted && ['o0', 'b0'].includes(property));
}

interface Message {
  id?: number;
  method?: string;
  params?: any;
  result?: any;
}

/** A server, wherever it runs, that checks one text after the other. */
class Server {
  private listener: (message: Message) => void = () => {};

  constructor(private readonly post: (message: object) => unknown) {}

  receive(message: Message): void {
    if (message.method !== undefined && message.id !== undefined) this.send({ id: message.id, result: null });
    this.listener(message);
  }

  /** One engine works on a check, as in a browser. */
  async start(): Promise<void> {
    const settings = { check: { timeout: limit, jobs: 1, workers: 1, cache: false } };
    const answered = new Promise<void>((resolve) => (this.listener = ({ method }) => method === undefined && resolve()));
    this.send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: { experimental: { aiglens: { status: true } } }, initializationOptions: settings } });
    await answered;
    this.send({ method: 'initialized', params: {} });
  }

  async check(uri: string, text: string): Promise<PropertyStatus> {
    const found = new Promise<PropertyStatus>((resolve) => {
      this.listener = ({ method, params }) => {
        if (method !== 'aiglens/status' || params.uri !== uri) return;
        const settled = params.properties.find(({ freshness, verdict }: PropertyStatus) => freshness === 'fresh' && verdict !== 'none');
        if (settled !== undefined) resolve(settled);
      };
    });
    this.send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'aag', version: 1, text } } });
    this.send({ method: 'textDocument/didSave', params: { textDocument: { uri } } });
    const status = await found;
    this.send({ method: 'textDocument/didClose', params: { textDocument: { uri } } });
    return status;
  }

  private send(message: object): void {
    void this.post({ jsonrpc: '2.0', ...message });
  }
}

async function startHere(): Promise<Server> {
  const host = await openHost();
  onTestFinished(() => host.close());
  const page = await host.context.newPage();
  await page.goto(host.origin);
  const server = new Server((message) => page.evaluate((message) => (globalThis as unknown as { port: MessagePort }).port.postMessage(message), message));
  await page.exposeFunction('receive', (message: Message) => server.receive(message));
  await page.evaluate(() => {
    const worker = new Worker('serverWorker.js');
    const { port1: port, port2 } = new MessageChannel();
    port.onmessage = ({ data }) => (globalThis as unknown as { receive(message: unknown): void }).receive(data);
    Object.assign(globalThis, { port });
    worker.postMessage({ kind: 'start', role: 'serve', module: `${location.href}aiglens.wasm`, checker: `${location.href}checker.wasm`, port: port2 }, [port2]);
  });
  await server.start();
  return server;
}

/** The native one gets one processor, as a worker of a browser has one. */
async function startNative(program: string): Promise<Server> {
  const child = spawn(program, ['serve'], { env: { ...process.env, GOMAXPROCS: '1' }, stdio: ['pipe', 'pipe', 'ignore'] });
  const writer = new StreamMessageWriter(child.stdin);
  const server = new Server((message) => writer.write(message as never));
  const listening = new StreamMessageReader(child.stdout).listen((message) => server.receive(message as Message));
  onTestFinished(() => {
    listening.dispose(); // what it still asks has no answer
    child.kill();
  });
  await server.start();
  return server;
}

test.runIf(isThere)('circuits of competitions have the verdicts of the native server', { timeout: 3_600_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tiers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'aiglens');
  execFileSync('go', ['build', '-o', program, './cmd/aiglens'], { cwd: root });
  const [here, native] = [await startHere(), await startNative(program)];
  const found: { row: Row; here: PropertyStatus; native: PropertyStatus }[] = [];
  for (const row of rows()) {
    const file = join(folder, 'circuit.aag');
    execFileSync(program, ['convert', '--to', 'aag', '-o', file, '--force', join(benchmarks, row.file)], { stdio: 'ignore' });
    const [uri, text] = [`untitled:/${row.file}`, readFileSync(file, 'utf8')];
    found.push({ row, here: await here.check(uri, text), native: await native.check(uri, text) });
  }

  const different: typeof found = [];
  for (const [tier, part] of Object.entries(wanted)) {
    const all = found.filter(({ row }) => row.tier === tier);
    const solved = all.filter(({ here }) => here.verdict !== 'unknown');
    const words: Record<string, string> = { safe: 'proved', unsafe: 'refuted' };
    different.push(...solved.filter(({ row, here }) => row.expected in words && here.verdict !== words[row.expected]));
    const both = solved.filter(({ native }) => native.verdict !== 'unknown');
    different.push(...both.filter(({ here, native }) => here.verdict !== native.verdict || here.depth !== native.depth));
    const ratios = both.map(({ here, native }) => here.seconds! / native.seconds!).sort((a, b) => a - b);
    const [seconds, natively] = (['here', 'native'] as const).map((of) => both.reduce((sum, one) => sum + one[of].seconds!, 0));
    console.log(
      `tier ${tier}: ${solved.length} of ${all.length} solved, ${both.length} natively as well; ${seconds!.toFixed(1)} s here, ${natively!.toFixed(1)} s natively: ` +
        `${(seconds! / natively!).toFixed(2)} times as long, by the median ${ratios[ratios.length >> 1]!.toFixed(2)}`,
    );
    for (const { row, native } of all.filter((one) => !solved.includes(one))) console.log(`no answer: ${row.file}: natively ${native.verdict}`);
    expect(solved.length).toBeGreaterThanOrEqual(part * all.length);
  }
  expect(different).toEqual([]);
});
