/// <reference lib="dom" />
// Where the extension runs here: the server is a worker of this page, to which it gives the files that it asks for.
import type { LogOutputChannel } from 'vscode';
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient } from 'vscode-languageclient/browser';
import type { Host } from '../src/host';
import type { FileAnswer, FileRequest, ToOwner, ToWorker } from '../src/web/serverWorker';
import { Uri, workspace } from './vscode/index';

/** Addresses of the script and of the module. */
export interface Program {
  script: string;
  module: string;
}

/** @param ended is told why a server has ended that was not asked to */
export function pageHost(program: Program, log: LogOutputChannel, ended: (reason: string) => void): Host {
  let worker: Worker | undefined;
  return {
    findServer: async () => ({
      name: 'aiglens in this page',
      client: (options) => new LanguageClient('aiglens', 'aiglens', async () => {
        worker?.terminate();
        worker = new Worker(program.script);
        return connect(worker, program, log, ended);
      }, options),
    }),
    schemes: ['file'],
    debugAdapter: async () => {
      throw new Error('The debugger needs VS Code. The trace panel walks through the same steps.');
    },
  };
}

function connect(worker: Worker, program: Program, log: LogOutputChannel, ended: (reason: string) => void) {
  const { port1, port2 } = new MessageChannel();
  const tell = (message: ToWorker, transfer: Transferable[] = []) => worker.postMessage(message, transfer);
  worker.addEventListener('error', ({ message }) => ended(message || 'its script cannot be loaded'));
  worker.addEventListener('message', ({ data }: MessageEvent<ToOwner>) => {
    switch (data.kind) {
      case 'file':
        return void answer(data).then(tell);
      case 'log':
        return log.info(data.text);
      case 'ended':
        worker.terminate();
        if (data.reason !== undefined) ended(data.reason);
    }
  });
  tell({ kind: 'start', role: 'serve', module: new URL(program.module, location.href).href, port: port2 }, [port2]);
  return { reader: new BrowserMessageReader(port1), writer: new BrowserMessageWriter(port1) };
}

async function answer({ number, call, uri }: FileRequest): Promise<FileAnswer> {
  const file = Uri.parse(uri);
  try {
    const value = call === 'stat' ? await workspace.fs.stat(file) : call === 'read' ? await workspace.fs.readFile(file) : await workspace.fs.readDirectory();
    return { kind: 'answer', number, value };
  } catch (error) {
    return { kind: 'answer', number, error: error instanceof Error ? error.message : String(error), missing: true };
  }
}
