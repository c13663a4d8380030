// The debug adapter of one session, in a worker of its own.
import { type DebugAdapter, type DebugProtocolMessage, type DebugSession, EventEmitter, Uri, workspace } from 'vscode';
import type { Workers } from './workers';

export async function debugAdapter(workers: Workers, session: Pick<DebugSession, 'workspaceFolder'>): Promise<DebugAdapter> {
  const messages = new EventEmitter<DebugProtocolMessage>();
  const worker = await workers.start('debug', () => messages.fire({ type: 'event', event: 'terminated' }));
  worker.port.onmessage = ({ data }) => messages.fire(data);
  const folder = session.workspaceFolder ?? workspace.workspaceFolders?.[0];
  return {
    onDidSendMessage: messages.event,
    handleMessage: (message) => worker.port.postMessage(withAddress(message, folder?.uri)),
    dispose: () => worker.end(),
  };
}

interface Launch {
  command?: string;
  arguments?: { program?: unknown; uri?: unknown };
}

/** Replaces the path in a launch by a URI: a path names a file only on a machine with a disk. */
export function withAddress(message: DebugProtocolMessage, folder: Uri | undefined): DebugProtocolMessage {
  const { command, arguments: asked } = message as Launch;
  if (command !== 'launch' || typeof asked?.program !== 'string' || /^[a-z][a-z\d+.-]+:/i.test(asked.program)) return message;
  const base = typeof asked.uri === 'string' ? Uri.parse(asked.uri) : folder;
  const path = asked.program.replaceAll('\\', '/'); // as browsers on Windows have it
  return base === undefined ? message : { ...message, arguments: { ...asked, program: base.with({ path, query: '' }).toString() } };
}
