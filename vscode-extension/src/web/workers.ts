// Starts the program as workers of the browser: one is the language server, and one more is each
// session of the debugger. What they ask for of the workspace is answered here.
import { FileSystemError, type LogOutputChannel, Uri, workspace } from 'vscode';
import type { FileAnswer, FileRequest, Start, ToOwner } from './messages';

/** A worker that was started, and the port that its protocol goes through. */
export interface Started {
  readonly port: MessagePort;
  end(): void;
}

export class Workers {
  /** The address of the script; checks are workers of the same, so it is not revoked. */
  private script: string | undefined;
  private readonly programs = new Map<string, Promise<WebAssembly.Module>>();

  constructor(
    private readonly extension: Uri,
    private readonly log: Pick<LogOutputChannel, 'info' | 'error'>,
  ) {}

  /**
   * @param ended is called when the worker ends by itself, also when it cannot be started
   * @throws Error where the script or the program cannot be read or compiled; without the program of the checks it goes on
   */
  async start(role: Start['role'], ended: () => void): Promise<Started> {
    this.script ??= await this.readScript();
    const checker = this.program('checker').catch((error: unknown) => this.log.error(`circuits cannot be checked: ${error instanceof Error ? error.message : String(error)}`));
    const [module, ofChecks] = await Promise.all([this.program('aiglens'), checker]);
    const worker = new Worker(this.script, { name: `aiglens ${role}` });
    const { port1: port, port2 } = new MessageChannel();
    const end = () => {
      worker.terminate();
      port.close();
    };
    const fail = (reason: string | undefined) => {
      if (reason !== undefined) this.log.error(reason);
      end();
      ended();
    };
    worker.onerror = ({ message }) => fail(message);
    worker.onmessage = ({ data }: MessageEvent<ToOwner>) => {
      switch (data.kind) {
        case 'file':
          return void answer(data).then((answered) => worker.postMessage(answered));
        case 'log':
          return this.log.info(data.text);
        case 'ended':
          return fail(data.reason);
      }
    };
    worker.postMessage({ kind: 'start', role, module, ...(ofChecks && { checker: ofChecks }), port: port2 } satisfies Start, [port2]);
    return { port, end };
  }

  /** VS Code starts no worker from an address of a remote extension: it gets the script itself. */
  private async readScript(): Promise<string> {
    const script = await this.read('serverWorker.js');
    return URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
  }

  /** One that could not be loaded is asked for again with the next worker. */
  private program(name: string): Promise<WebAssembly.Module> {
    const there = this.programs.get(name) ?? this.compile(name);
    this.programs.set(name, there);
    there.catch(() => this.programs.delete(name));
    return there;
  }

  /** The modules are packed, as they may come from afar. */
  private async compile(name: string): Promise<WebAssembly.Module> {
    const packed = new Blob([await this.read(`${name}.wasm.gz`)]);
    const stream = packed.stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compileStreaming(new Response(stream, { headers: { 'Content-Type': 'application/wasm' } }));
  }

  private async read(name: string): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await workspace.fs.readFile(Uri.joinPath(this.extension, 'dist', 'web', name)));
  }
}

/** A file of the workspace, or of what else VS Code reads by an address. */
export async function answer({ number, call, uri }: Pick<FileRequest, 'number' | 'call' | 'uri'>): Promise<FileAnswer> {
  try {
    const file = Uri.parse(uri); // which refuses some
    switch (call) {
      case 'stat': {
        const { type, size, mtime } = await workspace.fs.stat(file);
        return { kind: 'answer', number, value: { type, size, mtime } };
      }
      case 'read':
        return { kind: 'answer', number, value: await workspace.fs.readFile(file) };
      case 'list':
        return { kind: 'answer', number, value: await workspace.fs.readDirectory(file) };
    }
  } catch (error) {
    const missing = error instanceof FileSystemError && error.code === 'FileNotFound';
    return { kind: 'answer', number, error: error instanceof Error ? error.message : String(error), missing };
  }
}
