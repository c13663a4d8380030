// What goes between the program and the world, as bytes.

/** Where a pipe leads: takes bytes, which it may keep. */
export type Sink = (bytes: Uint8Array) => void;

/** Bytes that have arrived and were not read yet. One reader waits at a time. */
export class Inbox {
  private readonly chunks: Uint8Array[] = [];
  private waiting: (() => void) | undefined;
  private ended = false;

  push(bytes: Uint8Array): void {
    if (bytes.length > 0) this.chunks.push(bytes);
    this.wake();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  /** Fills a buffer with what there is, or with the next that comes, and tells its length; 0 is the end. */
  read(into: Uint8Array, done: (length: number) => void): void {
    const first = this.chunks[0];
    if (first === undefined) {
      if (this.ended) done(0);
      else this.waiting = () => this.read(into, done);
      return;
    }
    const length = Math.min(first.length, into.length);
    into.set(first.subarray(0, length));
    if (length < first.length) this.chunks[0] = first.subarray(length);
    else this.chunks.shift();
    done(length);
  }

  private wake(): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.();
  }
}

/** A sink that tells each line of a text. */
export function lines(tell: (line: string) => void): Sink {
  const decoder = new TextDecoder();
  let rest = '';
  return (bytes) => {
    const all = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = all.pop() ?? '';
    all.forEach(tell);
  };
}
