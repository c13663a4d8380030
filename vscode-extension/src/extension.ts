// Starts the server and wires commands to it; everything else is in the server.
import { type ExtensionContext, window, workspace } from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { registerCommands } from './commands';
import { registerDecoded } from './decoded';
import { formatting } from './formatting';
import { pickLatch } from './latches';
import * as protocol from './protocol';
import { Server } from './server';

let server: Server | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  const log = window.createOutputChannel('aiglens', { log: true });
  const started = new Server(context, log, middleware());
  server = started;
  context.subscriptions.push(
    log,
    ...registerCommands(started, log),
    registerDecoded(started),
    workspace.onDidChangeConfiguration(() => started.pathChanged()),
  );
  await started.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** Answers here what the lens of a refuted property asks; the server has no list to choose from. */
function middleware(): Middleware {
  return {
    ...formatting,
    executeCommand: (command, args, next) => {
      const params = args[0] as protocol.GoToLatchParams | undefined;
      return command === protocol.goToLatch && params !== undefined && params.latch === undefined && server !== undefined
        ? pickLatch(server, params)
        : next(command, args);
    },
  };
}
