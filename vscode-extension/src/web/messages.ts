/// <reference lib="dom" />
// What a worker of the program and its owner say to each other; serverWorker.ts says how.

/** The address of a module, its bytes, or what an earlier worker has made of it. */
export type Source = string | BufferSource | WebAssembly.Module;

/** What the owner says first. */
export interface Start {
  kind: 'start';
  /** `serve` speaks the Language Server Protocol through the port, `debug` the Debug Adapter Protocol, for one session. */
  role: 'serve' | 'debug';
  /** aiglens.wasm. */
  module: Source;
  /** The program of the checks, checker.wasm. Without it each check ends unknown, and says why. */
  checker?: Source;
  port: MessagePort;
  /**
   * The source of this script, to start the workers of checks from. Without it they are started from the
   * address of this one: that of a file, or of a blob that is not revoked, as VS Code's are.
   */
  script?: string;
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
