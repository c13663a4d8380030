// Debugging: a counterexample is walked through like a program, or a run that begins at reset and
// whose inputs people set. The host gives the debug adapter.
import {
  commands,
  type DebugAdapterDescriptor,
  type DebugAdapterDescriptorFactory,
  type DebugConfiguration,
  type DebugConfigurationProvider,
  debug,
  type DebugAdapterTracker,
  type DebugAdapterTrackerFactory,
  type DebugSession,
  Disposable,
  type TextDocument,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Exchange } from './counterexample/exchange';
import type { PropertyRef } from './counterexample/messages';
import type { Steps } from './counterexample/steps';
import { isCircuit, isVerilog } from './formats';
import type { Host } from './host';
import { documentUri, fileName } from './places';
import type { Radices } from './radices';

const type = 'aiglens';

export function registerDebugging(host: Pick<Host, 'debugAdapter'>, steps: Steps, radices: Pick<Radices, 'of'>): Disposable {
  return Disposable.from(
    debug.registerDebugAdapterTrackerFactory(type, new Trackers(steps)),
    debug.registerDebugAdapterDescriptorFactory(type, new Adapters(host)),
    debug.registerDebugConfigurationProvider(type, new Configurations(radices)),
    debug.onDidStartDebugSession(showVariables),
  );
}

/** Shows the variables of a run: VS Code does so by itself only where a breakpoint hits. */
async function showVariables(session: Pick<DebugSession, 'type'>): Promise<void> {
  if (session.type !== type || workspace.getConfiguration('debug').get('openDebug') === 'neverOpen') return;
  await commands.executeCommand('workbench.debug.action.focusVariablesView');
}

class Adapters implements DebugAdapterDescriptorFactory {
  constructor(private readonly host: Pick<Host, 'debugAdapter'>) {}

  async createDebugAdapterDescriptor(session: Pick<DebugSession, 'workspaceFolder'>): Promise<DebugAdapterDescriptor> {
    // VS Code debugs nothing in such a folder; that is not ours to rely on.
    if (!workspace.isTrusted) throw new Error('Nothing is checked in a folder that is not trusted.');
    return this.host.debugAdapter(session);
  }
}

/** Has the text and the trace panel show the step that the debugger is at. */
class Trackers implements DebugAdapterTrackerFactory {
  constructor(private readonly steps: Steps) {}

  createDebugAdapterTracker({ configuration }: Pick<DebugSession, 'configuration'>): DebugAdapterTracker | undefined {
    const { property, uri, program, simulate } = configuration;
    if (simulate === true) return this.clearing(typeof uri === 'string' ? uri : Uri.file(`${program}`).toString());
    if (typeof property !== 'string' || typeof uri !== 'string') return undefined;
    // VS Code asks for the topmost frame first, and for those below when they are to be seen.
    const below = new Set<number>();
    return {
      onWillReceiveMessage: (message: unknown) => {
        const { seq, command, arguments: asked } = message as { seq: number; command?: string; arguments?: { startFrame?: number } };
        if (command === 'stackTrace' && (asked?.startFrame ?? 0) > 0) below.add(seq);
      },
      onDidSendMessage: (message: unknown) => {
        const step = stepOf(message);
        if (step !== undefined && !below.delete((message as { request_seq: number }).request_seq)) this.steps.follow({ uri, property, to: `${step}` });
      },
    };
  }

  /** While a simulation is shown, the text claims no values of a counterexample. */
  private clearing(uri: string): DebugAdapterTracker {
    return { onDidSendMessage: (message: unknown) => void (stepOf(message) !== undefined && this.steps.clear(uri)) };
  }
}

/**
 * The step of the topmost frame, where a message is an answer with frames. The adapter numbers
 * frames by their steps, from 1, on through all rounds of a loop; their names start again in each.
 */
export function stepOf(message: unknown): number | undefined {
  const { type, command, body } = message as { type?: string; command?: string; body?: { stackFrames?: { id?: number }[] } };
  if (type !== 'response' || command !== 'stackTrace') return undefined;
  const id = body?.stackFrames?.[0]?.id;
  return id === undefined ? undefined : id - 1;
}

/** What a setting says, without the object of the editor. */
const plain = (setting: unknown): unknown => JSON.parse(JSON.stringify(setting));

class Configurations implements DebugConfigurationProvider {
  constructor(private readonly radices: Pick<Radices, 'of'>) {}

  /** Without a launch.json: the circuit or the Verilog file in the editor. */
  resolveDebugConfiguration(_folder: unknown, configuration: DebugConfiguration): DebugConfiguration | undefined {
    if (configuration.type) return configuration;
    const document = window.activeTextEditor?.document;
    if (document === undefined || (!isCircuit(document) && !isVerilog(document.uri))) return undefined;
    return { type, request: 'launch', name: `Counterexample of ${fileName(document.uri.toString())}`, ...programOf(document), stopOnEntry: true };
  }

  /** With the text of the editor where it is not the file's, the settings that say how circuits are read, and the radices of words. */
  resolveDebugConfigurationWithSubstitutedVariables(_folder: unknown, configuration: DebugConfiguration): DebugConfiguration {
    const settings = workspace.getConfiguration('aiglens');
    const changed = workspace.textDocuments.filter((one) => one.isDirty && one.uri.scheme === 'file');
    const reading = isVerilog({ path: `${configuration['program']}` })
      ? {
          verilog: { yosys: settings.get('verilog.yosys', '') },
          texts: Object.fromEntries(changed.filter(({ uri }) => isVerilog(uri)).map((one) => [one.uri.fsPath, one.getText()])),
        }
      : { blif: plain(settings.get('blif', {})), btor2: plain(settings.get('btor2', {})) };
    const document = changed.find((one) => one.uri.fsPath === configuration['program']);
    const { uri = Uri.file(`${configuration['program']}`).toString() } = configuration as { uri?: string };
    const chosen = this.radices.of(uri);
    const radices = chosen.length === 0 ? {} : { radices: Object.fromEntries(chosen.map(({ word, radix }) => [word, radix])) };
    return { ...reading, ...radices, maxSize: settings.get('files.maxSize', 0), ...(document === undefined ? {} : { text: document.getText() }), ...configuration };
  }
}

/** How the adapter is to know a document: by its path, else by its text. */
export function programOf(document: Pick<TextDocument, 'uri' | 'isDirty' | 'getText'>): { program: string; text?: string; source?: string } {
  const { uri } = document;
  if (uri.scheme !== 'file') return { program: uri.fsPath, text: document.getText(), source: uri.toString() };
  return document.isDirty ? { program: uri.fsPath, text: document.getText() } : { program: uri.fsPath };
}

/** Begins a run at reset, of the text of the editor, in the debugger. */
export async function simulate(document: TextDocument): Promise<boolean> {
  return debug.startDebugging(workspace.getWorkspaceFolder(document.uri), {
    type,
    request: 'launch',
    name: `Simulate ${fileName(document.uri.toString())}`,
    ...programOf(document),
    // As in debugCounterexample.
    uri: document.uri.toString(),
    simulate: true,
    stopOnEntry: true,
  });
}

/** Debugs a counterexample that is known, in the text of the editor. */
export async function debugCounterexample(exchange: Exchange, about: PropertyRef): Promise<boolean> {
  const witness = await exchange.export(about, 'witness');
  if (witness === undefined) return false;
  const uri: Uri = documentUri(about.uri);
  const document = await workspace.openTextDocument(uri);
  return debug.startDebugging(workspace.getWorkspaceFolder(uri), {
    type,
    request: 'launch',
    name: `Counterexample of ${fileName(about.uri)}`,
    ...programOf(document),
    // The adapter has no use for it; what follows the session has.
    uri: about.uri,
    property: about.property,
    witnessText: witness.text,
    stopOnEntry: true,
    internalConsoleOptions: 'neverOpen',
  });
}
