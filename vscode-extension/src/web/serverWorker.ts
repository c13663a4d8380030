/**
 * The program as a Web Worker: the language server, or a debug adapter. Bundled as the classic
 * script dist/web/serverWorker.js; the module beside it is dist/web/aiglens.wasm.
 *
 * The owner starts it so:
 *
 *     const worker = new Worker(urlOfServerWorker);
 *     const { port1, port2 } = new MessageChannel();
 *     worker.postMessage({ kind: 'start', role: 'serve', module: urlOfModule, port: port2 }, [port2]);
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

/** What the owner says first. */
export interface Start {
  kind: 'start';
  /** `serve` speaks the Language Server Protocol through the port, `debug` the Debug Adapter Protocol, for one session. */
  role: 'serve' | 'debug';
  /** The address of aiglens.wasm, its bytes, or what an earlier worker has made of it. */
  module: string | BufferSource | WebAssembly.Module;
  port: MessagePort;
  /** How many checks run at once; without it one less than the processors of the machine, and at least one. */
  checks?: number;
  /** False keeps no verdicts. */
  cache?: boolean;
}

/** Asks for a file: what it is, its bytes, or the names in a folder. */
export interface FileRequest {
  kind: 'file';
  number: number;
  call: 'stat' | 'read' | 'list';
  uri: string;
}

/** The answer: FileStat, Uint8Array or [name, FileType][] as `vscode.workspace.fs` has them, or why there is none. */
export type FileAnswer =
  | { kind: 'answer'; number: number; value: { type: number; size: number; mtime: number } | Uint8Array | [string, number][] }
  | { kind: 'answer'; number: number; error: string; missing?: boolean };

export type ToOwner = FileRequest | { kind: 'started'; module: WebAssembly.Module } | { kind: 'log'; text: string } | { kind: 'ended'; reason?: string };
export type ToWorker = Start | FileAnswer;
