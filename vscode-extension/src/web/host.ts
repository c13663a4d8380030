// A worker of a browser: server and debug adapter are workers, too. There are no programs, no git
// and no files but those that VS Code reads.
import { DebugAdapterInlineImplementation, type LogOutputChannel, type Uri, workspace } from 'vscode';
import type { Host } from '../host';
import { WorkerClient } from './client';
import { debugAdapter } from './debugAdapter';
import { Workers } from './workers';

/** @param extension the folder of the extension */
export function webHost(extension: Uri, log: LogOutputChannel): Host {
  const workers = new Workers(extension, log);
  return {
    findServer: async () => ({ name: 'aiglens.wasm', client: (options) => new WorkerClient(workers, options) }),
    // Those of vscode.dev, github.dev, remote machines and tests, and of what other extensions have opened as folders.
    schemes: [...new Set(['file', 'vscode-vfs', 'vscode-remote', 'vscode-test-web', 'memfs', ...(workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme)])],
    debugAdapter: async (session) => new DebugAdapterInlineImplementation(await debugAdapter(workers, session)),
  };
}
