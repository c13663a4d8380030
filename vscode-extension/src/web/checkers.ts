import type { Check, FromChecker } from './checkerWorker';
import type { Pipe } from './files';
import { Inbox } from './pipes';

/** What is kept of the lines of a worker. */
const kept = 100;

interface Checker {
  worker: Worker;
  out: Inbox;
  ending: string;
  log: string[];
}

/** The workers of checks, by the numbers of their pipes. The program calls it by these names. */
export class Checkers {
  private readonly all = new Map<number, Checker>();
  private readonly address: string;

  constructor(
    private readonly module: Promise<WebAssembly.Module>,
    script?: string,
  ) {
    module.catch(() => {}); // each check tells it
    this.address = script === undefined ? globalThis.location.href : URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  }

  /** Starts a worker. One that cannot be started is one that has ended. */
  start(number: number): Pipe {
    const worker = new Worker(this.address);
    const { port1, port2 } = new MessageChannel();
    const one: Checker = { worker, out: new Inbox(), ending: 'ended', log: [] };
    this.all.set(number, one);
    let isOver = false;
    /** What is said first counts: a program that has ended may fail once more. */
    const ended = (how: string) => {
      if (!isOver) one.ending = how;
      isOver = true;
      one.out.end();
    };
    worker.onerror = (event) => {
      event.preventDefault(); // it is a fault of the check, and none of the worker that began it
      ended(event.message || 'its script cannot be loaded');
    };
    port1.onmessage = ({ data }: MessageEvent<FromChecker>) => {
      if (data instanceof Uint8Array) one.out.push(data);
      else if ('ended' in data) ended(data.ended);
      else if (one.log.push(data.log) > kept) one.log.shift();
    };
    this.module.then(
      (module) => worker.postMessage({ kind: 'check', module, port: port2 } satisfies Check, [port2]),
      (error: unknown) => ended(`its program cannot be loaded: ${String(error)}`),
    );
    return { out: one.out, in: (bytes) => port1.postMessage(bytes, [bytes.buffer]), close: () => void this.all.delete(number) };
  }

  /** Ends a worker, whatever it does. */
  end(number: number): void {
    const one = this.all.get(number);
    one?.worker.terminate();
    one?.out.end();
  }

  /** How a worker ended: `ended` from outside, `memory`, or a fault in words. */
  ending(number: number): string {
    return this.all.get(number)?.ending ?? 'ended';
  }

  /** The last that a worker wrote for people. */
  log(number: number): string {
    return this.all.get(number)?.log.join('\n') ?? '';
  }
}
