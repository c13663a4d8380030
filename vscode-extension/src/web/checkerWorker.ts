// A worker that runs checks, one after the other. Between it and the server's worker go the bytes of
// the messages of internal/worker, and at its end how it ended.
import { Files } from './files';
import { Inbox, lines } from './pipes';
import { run } from './program';

/** What the server's worker says first. */
export interface Check {
  kind: 'check';
  module: WebAssembly.Module;
  port: MessagePort;
}

/** What goes back: a message of internal/worker, a line for people, or the end. */
export type FromChecker = Uint8Array | { log: string } | { ended: string };

export async function check({ module, port }: Check): Promise<void> {
  const input = new Inbox();
  const tell = (message: FromChecker) => port.postMessage(message);
  port.onmessage = ({ data }: MessageEvent<Uint8Array>) => input.push(data);
  let isOutOfMemory = false;
  const log = lines((line) => {
    isOutOfMemory ||= /out of memory/.test(line);
    tell({ log: line });
  });
  const reason = await run(module, [], { fs: new Files([input, tell, log], {}) });
  tell({ ended: isOutOfMemory ? 'memory' : (reason ?? 'ended') });
}
