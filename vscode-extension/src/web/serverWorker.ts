/// <reference lib="dom" />
/**
 * The program as a Web Worker: the language server, or a debug adapter. Bundled as the classic
 * script dist/web/serverWorker.js; the modules beside it are dist/web/aiglens.wasm and dist/web/checker.wasm.
 *
 * The owner starts it so:
 *
 *     const worker = new Worker(urlOfServerWorker);
 *     const { port1, port2 } = new MessageChannel();
 *     worker.postMessage({ kind: 'start', role: 'serve', module: urlOfModule, checker: urlOfChecker, port: port2 }, [port2]);
 *     new LanguageClient('aiglens', 'aiglens', options, { reader: new BrowserMessageReader(port1), writer: new BrowserMessageWriter(port1) })
 *
 * Protocol messages go through the port, one object each; they may be posted at once, and wait for the module.
 * All else goes between owner and worker themselves, as the types below say:
 *
 * - `file` asks the owner for a file of the workspace, by its URI; the owner answers each with an `answer` of
 *   the same number. What `vscode.workspace.fs` returns fits as it is.
 * - `started` carries the compiled module, to be given to the next worker (a debug adapter) as `module`.
 * - `log` is a line for people; `ended` says that no more will come: without a reason the client has left.
 *   A module that cannot be loaded is an `ended` with its reason. The owner then ends the worker.
 *
 * Settings are those of the protocol: `initializationOptions` and `workspace/didChangeConfiguration`, as
 * natively. Checks run in workers that this one starts from its own script. Verdicts are kept in the
 * IndexedDB `aiglens` of the origin, by this worker; where that is refused, they are kept nowhere, which is logged.
 */

import { check, type Check } from './checkerWorker';
import { Checkers } from './checkers';
import { Files } from './files';
import { framed, Unframer } from './frames';
import type { Start, ToOwner, ToWorker } from './messages';
import { Owner } from './owner';
import { Inbox, lines } from './pipes';
import { compile, run } from './program';
import { Shelf } from './shelf';

export type * from './messages';

const scope = globalThis as unknown as Worker;

scope.addEventListener('message', ({ data }: MessageEvent<ToWorker | Check>) => {
  if (data.kind === 'start') void serve(data);
  else if (data.kind === 'check') void check(data);
});

const tell = (message: ToOwner) => scope.postMessage(message);

async function serve({ role, module, checker, port, script, checks, cache }: Start): Promise<void> {
  const input = new Inbox();
  port.onmessage = ({ data }) => input.push(framed(data));
  const unframer = new Unframer((message) => port.postMessage(message));
  const log = lines((text) => tell({ kind: 'log', text }));
  let reason: string | undefined;
  try {
    const checkers = new Checkers(checker === undefined ? Promise.reject(new Error('it is not given')) : compile(checker), script);
    const compiled = await compile(module);
    tell({ kind: 'started', module: compiled });
    const files = new Files([input, (bytes) => unframer.push(bytes), log], { '/dev/checker': (number) => checkers.start(number) }, new Owner(tell));
    const shelf = cache === false ? undefined : await Shelf.open((why) => tell({ kind: 'log', text: `verdicts are not kept: ${why}` }));
    const most = checks ?? Math.max(1, (navigator.hardwareConcurrency || 2) - 1);
    reason = await run(compiled, [role, `${most}`], { fs: files, aiglensCheckers: checkers, aiglensShelf: shelf });
  } catch (error) {
    reason = `the program cannot be started: ${error instanceof Error ? error.message : String(error)}`;
  }
  tell({ kind: 'ended', ...(reason !== undefined && { reason }) });
}
