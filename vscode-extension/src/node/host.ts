// A process of Node beside the files: the server and the debug adapter are the bundled program, or
// the one that the settings name.
import { DebugAdapterExecutable, type LogOutputChannel } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import type { Host, Problem, Startable } from '../host';
import { serverPath } from '../settings';
import { type Binary, findBinary } from './binary';
import { commits } from './lastCommit';
import { InstalledViewers } from './viewers';

/** @param extension the folder of the extension */
export function nodeHost(extension: string, log: LogOutputChannel): Host {
  const program = (): Promise<Binary> => findBinary(extension, serverPath());
  return {
    program,
    async findServer(): Promise<Startable | Problem> {
      const binary = await program();
      return 'problem' in binary ? binary : serverAt(binary.path, log);
    },
    async debugAdapter() {
      const binary = await program();
      if ('problem' in binary) throw new Error(binary.problem);
      return new DebugAdapterExecutable(binary.path, ['debug']);
    },
    schemes: ['file', 'vscode-remote'],
    commits,
    viewers: new InstalledViewers(),
  };
}

function serverAt(path: string, log: LogOutputChannel): Startable {
  const command = { command: path, args: ['serve'] };
  // The server logs to stderr what it also sends as window/logMessage or
  // what it can no longer send: no reason to call it an error.
  const stdioOptions = { stdout: () => {}, stderr: (stream: NodeJS.ReadableStream) => logLines(stream, log) };
  return { name: path, client: (options) => new LanguageClient('aiglens', 'aiglens', command, { ...options, stdioOptions }) };
}

function logLines(stream: NodeJS.ReadableStream, log: LogOutputChannel): void {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach((line) => log.info(line));
  });
  stream.on('end', () => {
    if (rest !== '') log.info(rest);
  });
}
