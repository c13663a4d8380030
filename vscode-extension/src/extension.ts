// Starts the server and wires to it what draws and what asks; everything else is
// in the server. The entry files, node/main.ts and web/main.ts, say where it runs.
import { type ExtensionContext, type LogOutputChannel, window, workspace } from 'vscode';
import type { Middleware } from 'vscode-languageclient';
import { registerAgents } from './agents';
import { Checks } from './checks';
import { registerCluster } from './cluster';
import { colours } from './colours';
import { type Comparisons, registerComparisons } from './comparison/register';
import { registerCommands } from './commands';
import { followContexts } from './contexts';
import { type Counterexamples, registerCounterexamples } from './counterexample/register';
import { registerCursor } from './cursor';
import { registerDecoded } from './decoded';
import { registerFileAnswers } from './fileAnswers';
import { formatting } from './formatting';
import { Gutter } from './gutter';
import { registerHistory } from './history';
import type { Host } from './host';
import { pickLatch } from './latches';
import { Notes } from './notes';
import { registerProofs } from './proof';
import { registerPictures } from './schematic/register';
import * as protocol from './protocol';
import { registerRowsLeft } from './rowsLeft';
import { RowVerdicts } from './rowVerdicts';
import { Server } from './server';
import { StatusModel } from './status';
import { StatusBar } from './statusBar';
import { followActivity } from './statusMenu';
import { tellInto } from './telling';
import { Tests } from './testExplorer';
import { Walkthrough } from './walkthrough';

let server: Server | undefined;
let checks: Checks | undefined;
let notes: Notes | undefined;

/** What is known and what is drawn of it; the tests in the extension host look here. */
export interface Drawn {
  model: StatusModel;
  gutter: Gutter;
  statusBar: StatusBar;
  tests: Tests;
  counterexamples: Counterexamples;
  notes: Notes;
  rowVerdicts: RowVerdicts;
  comparisons: Comparisons;
}

/** @param hostOf what the place where the extension runs has, with the log that it writes to */
export async function activate(context: ExtensionContext, hostOf: (log: LogOutputChannel) => Host): Promise<Drawn> {
  const log = window.createOutputChannel('aiglens', { log: true });
  tellInto(log);
  const host = hostOf(log);
  const model = new StatusModel();
  const started = new Server(context, host, log, model, middleware());
  server = started;
  checks = new Checks(started, model);
  const counterexamples = registerCounterexamples(context, host, started, model);
  const rowEnds = new Notes(started, counterexamples.steps, model);
  notes = rowEnds;
  const drawn: Drawn = {
    model,
    gutter: new Gutter(model),
    statusBar: new StatusBar(model, checks, started),
    tests: new Tests(model, checks, started),
    counterexamples,
    notes: rowEnds,
    rowVerdicts: new RowVerdicts(model, started, rowEnds),
    comparisons: registerComparisons(context.extensionUri, started, host.commits, counterexamples.circuit, (uris) => notes?.hush(uris)),
  };
  context.subscriptions.push(
    log,
    ...(host.commits === undefined ? [] : [host.commits]),
    ...(host.viewers === undefined ? [] : [host.viewers]),
    model,
    checks,
    ...registerCommands(started, checks, model, drawn.tests, log),
    registerDecoded(started),
    registerHistory(checks, model),
    registerProofs(started, model),
    registerFileAnswers(started),
    registerPictures(context.extensionUri, started, model, counterexamples.steps, counterexamples.radices),
    registerCursor(started, model),
    registerRowsLeft(started),
    registerCluster(started),
    registerAgents(host, started),
    new Walkthrough(context, checks, model),
    followActivity(model),
    followContexts(model, counterexamples.steps),
    drawn.gutter,
    drawn.statusBar,
    drawn.tests,
    drawn.counterexamples,
    drawn.notes,
    drawn.rowVerdicts,
    drawn.comparisons,
    workspace.onDidChangeConfiguration(() => started.pathChanged()),
    workspace.onDidGrantWorkspaceTrust(() => {
      started.tellSettings();
      started.pathChanged();
    }),
  );
  await started.start();
  return drawn;
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/**
 * Answers here what the lens of a refuted property asks, as the server has no
 * list to choose from, and shows at once that a lens stops a check.
 */
function middleware(): Middleware {
  return {
    ...formatting,
    ...colours,
    provideInlayHints: (document, range, token, next) => notes?.middleware.provideInlayHints?.(document, range, token, next) ?? next(document, range, token),
    executeCommand: (command, args, next) => {
      const params: protocol.GoToLatchParams | undefined = args[0];
      if (command === protocol.goToLatch && params !== undefined && params.latch === undefined && server !== undefined) {
        return pickLatch(server, params);
      }
      return command === protocol.stop && checks !== undefined
        ? checks.followStop(Promise.resolve(next(command, args)))
        : next(command, args);
    },
  };
}
