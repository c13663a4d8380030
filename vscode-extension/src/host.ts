// What the extension needs of the place where it runs. Beside the files of a machine everything is
// there (node); in a browser the server is a worker, and what needs a program or git is absent (web).
import type { DebugAdapterDescriptor, DebugSession, Disposable, Uri } from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import type { Baseline } from './comparison/baseline';

/** Why something cannot be had, as a sentence for the user. */
export interface Problem {
  problem: string;
}

/** A server that can be started. */
export interface Startable {
  /** In messages and in the log. */
  readonly name: string;
  /** A client of its own for each start. */
  client(options: LanguageClientOptions): BaseLanguageClient;
}

export interface Host {
  findServer(): Promise<Startable | Problem>;
  /** @throws Error for the user where there is no adapter */
  debugAdapter(session: Pick<DebugSession, 'workspaceFolder'>): Promise<DebugAdapterDescriptor>;
  /** Commands that lead nowhere there, and are not offered. */
  readonly absent?: ReadonlySet<string>;
  /** Schemes of the files that people work on. */
  readonly schemes: readonly string[];
  /** Absent where the server is no program: then no setting names it. */
  readonly program?: () => Promise<{ path: string } | Problem>;
  /** Absent where git cannot be run. */
  readonly commits?: Commits;
  /** Absent where no other program can be started. */
  readonly viewers?: Viewers;
}

/** The last commit of the repository that a file is in. */
export interface Commits extends Disposable {
  /** @throws Refusal when the file is in none, in words that say why */
  last(file: Uri): Promise<Baseline>;
  /** @param changed is called when the last commit of a watched file may be another one */
  watcher(changed: () => void): CommitWatcher;
}

export interface CommitWatcher extends Disposable {
  /** Watches the repository of a file, if there is one: all that comes after is reported. */
  watch(file: Uri): Promise<void>;
}

/** Programs and extensions that show waveforms. */
export interface Viewers extends Disposable {
  find(): Promise<Viewer[]>;
}

export interface Viewer {
  readonly label: string;
  /** Shows a VCD file. */
  show(name: string, text: string): Promise<unknown>;
}
