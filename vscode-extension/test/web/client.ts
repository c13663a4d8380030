// A client of the program in a Web Worker: of the language server or of a debug adapter.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import type { FileRequest, Start, ToOwner } from '../../src/web/serverWorker';
import { extension, root } from '../lib/paths';
import { startWorker } from './node';

const bytes = (name: string) => readFileSync(join(extension, 'dist', 'web', name));
let modules: Pick<Start, 'module' | 'checker'> | undefined;

type Message = { id?: number; method?: string; params?: any; result?: any; error?: any };

export class Client {
  readonly log: string[] = [];
  /** How many workers of checks there are, by each message about it. */
  readonly threads: number[] = [];
  /** The files of the owner, by their URIs, and what was asked for them. */
  readonly files = new Map<string, string>();
  readonly asked: FileRequest[] = [];
  readonly ended: Promise<string | undefined>;
  private readonly worker: Worker;
  private readonly port: MessagePort;
  private readonly answers = new Map<number, (message: Message) => void>();
  private readonly waiting = new Set<(message: Message) => void>();
  private number = 0;

  constructor({ withChecker = true, ...start }: Partial<Start> & { withChecker?: boolean } = {}) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    port1.on('message', (message: Message) => this.receive(message));
    this.worker = startWorker(join(extension, 'dist', 'web', 'serverWorker.js'));
    this.ended = new Promise((resolve) => this.worker.on('message', (message: ToOwner) => this.hear(message, resolve)));
    modules ??= { module: bytes('aiglens.wasm'), checker: bytes('checker.wasm') };
    const { module, checker } = modules;
    this.worker.postMessage({ kind: 'start', role: 'serve', checks: 2, cache: false, module, ...(withChecker && { checker }), ...start, port: port2 }, [port2]);
  }

  /** Shakes hands, and opens a text. */
  async open(uri: string, text: string, settings: object = {}, languageId = ''): Promise<void> {
    await this.request('initialize', { processId: null, rootUri: null, capabilities: { experimental: { aiglens: { status: true } } }, initializationOptions: settings });
    this.notify('initialized', {});
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
  }

  request(method: string, params: unknown): Promise<any> {
    const id = ++this.number;
    this.port.postMessage({ jsonrpc: '2.0', id, method, params });
    return new Promise((resolve, reject) => this.answers.set(id, ({ result, error }) => (error === undefined ? resolve(result) : reject(new Error(error.message)))));
  }

  notify(method: string, params: unknown): void {
    this.port.postMessage({ jsonrpc: '2.0', method, params });
  }

  post(message: unknown): void {
    this.port.postMessage(message);
  }

  /** The next message that fits. */
  next(fits: (message: any) => boolean): Promise<any> {
    return new Promise((resolve) => {
      const listener = (message: Message) => {
        if (!fits(message)) return;
        this.waiting.delete(listener);
        resolve(message);
      };
      this.waiting.add(listener);
    });
  }

  /** Saves, and waits until as many diagnostics with verdicts are there as are expected. */
  verdicts(uri: string, count: number): Promise<string[]> {
    const codes = (message: Message): string[] => message.params.diagnostics.map(({ code }: { code: string }) => code).filter((code: string) => ['proved', 'refuted', 'unknown'].includes(code));
    const found = this.next((message) => message.method === 'textDocument/publishDiagnostics' && message.params.uri === uri && codes(message).length === count);
    this.notify('textDocument/didSave', { textDocument: { uri } });
    return found.then(codes);
  }

  async close(): Promise<void> {
    await this.worker.terminate();
    this.port.close();
  }

  private receive(message: Message): void {
    if (message.method === undefined && message.id !== undefined) this.answers.get(message.id)?.(message);
    else if (message.id !== undefined) this.port.postMessage({ jsonrpc: '2.0', id: message.id, result: null });
    for (const listener of this.waiting) listener(message);
  }

  /** Ends the workers of checks without the help of the program. */
  killCheckers(): void {
    this.worker.postMessage({ kind: 'kill' });
  }

  private hear(message: ToOwner | { kind: 'threads'; count: number }, ended: (reason?: string) => void): void {
    if (message.kind === 'threads') this.threads.push(message.count);
    if (message.kind === 'log') this.log.push(message.text);
    if (message.kind === 'started') modules = { ...modules!, module: message.module };
    if (message.kind === 'ended') ended(message.reason);
    if (message.kind === 'file') {
      const { number, call, uri } = message;
      this.asked.push(message);
      const text = this.files.get(uri);
      const inside = [...this.files.keys()].filter((key) => key.startsWith(`${uri}/`)).map((key) => [key.slice(uri.length + 1), 1]);
      const value = call === 'list' && inside.length > 0 ? inside : text === undefined ? undefined : call === 'stat' ? { type: 1, size: text.length, mtime: 1 } : new TextEncoder().encode(text);
      this.worker.postMessage({ kind: 'answer', number, ...(value === undefined ? { error: 'there is none', missing: true } : { value }) });
    }
  }
}

export const example = (name: string): string => readFileSync(join(root, 'examples', name), 'utf8');
