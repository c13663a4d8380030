// Web Workers in Node, as far as the scripts of src/web use them: workers of node:worker_threads with the globals of a browser.
import { Worker } from 'node:worker_threads';

const globals = `
const { parentPort, workerData, Worker: Thread } = require('node:worker_threads');
const { readFileSync } = require('node:fs');
const { globals, script } = workerData;
globalThis.location = { href: script };
globalThis.navigator ??= {};
globalThis.addEventListener = (type, listener) => parentPort.on(type, (data) => listener({ data }));
globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
const threads = new Set();
const tell = () => parentPort.postMessage({ kind: 'threads', count: threads.size });
parentPort.on('message', ({ kind }) => kind === 'kill' && threads.forEach((worker) => worker.kill()));
globalThis.Worker = class {
  constructor(script) {
    this.thread = new Thread(globals, { eval: true, workerData: { globals, script } });
    this.thread.on('error', (error) => this.onerror?.({ message: String(error), preventDefault() {} }));
    this.thread.on('exit', () => { threads.delete(this); tell(); });
    threads.add(this);
    tell();
  }
  postMessage(message, transfer) { this.thread.postMessage(message, transfer); }
  terminate() { void this.thread.terminate(); }
  kill() { this.thread.terminate().then(() => this.onerror?.({ message: 'killed', preventDefault() {} })); }
};
require('node:vm').runInThisContext(readFileSync(script, 'utf8'), { filename: script });
`;

/**
 * Starts a script as a Web Worker. It tells its owner in a message how many workers it has itself. The message `kill`
 * ends these as a browser does that needs their memory.
 */
export function startWorker(script: string): Worker {
  return new Worker(globals, { eval: true, workerData: { globals, script } });
}
