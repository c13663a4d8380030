// Comparisons of a circuit with another text: the commands, the lens, both texts side by side.
import { CancellationTokenSource, Disposable, ProgressLocation, type TextDocument, type TextEditor, Uri, window, workspace } from 'vscode';
import type { CircuitView } from '../circuit/view';
import { forEditor, register } from '../commands';
import { circuits, isCircuit } from '../formats';
import type { Commits } from '../host';
import { circuitEditor, fileName, uriFrom } from '../places';
import * as protocol from '../protocol';
import { Refusal } from '../refusal';
import type { Server } from '../server';
import { tell } from '../telling';
import { anotherFile, type Baseline, beforeEdit, fileOf, onDisk } from './baseline';
import { registerEarlier } from './earlier';
import { saveDifference } from './export';
import { CommitLens, type Compare, wordsOf } from './lens';
import { DifferencePanel } from './panel';
import { SideBySide } from './sideBySide';
import { Since } from './since';

/** What tests look at. */
export interface Comparisons extends Disposable {
  readonly sideBySide: SideBySide;
  /** Absent where there are no commits. */
  readonly lens: CommitLens | undefined;
}

/**
 * @param commits absent where git cannot be run
 * @param circuit shows values of the run that tells two texts apart
 * @param hush has what else stands at the ends of rows left out in some documents, and in no others
 */
export function registerComparisons(extension: Uri, server: Running, commits: Commits | undefined, circuit: Pick<CircuitView, 'followComparison'>, hush: (uris: readonly string[]) => void): Comparisons {
  const sideBySide = new SideBySide();
  const inBackground = comparing(server, { background: true });
  const compare: Compare = async (...asked) => {
    await running(server);
    return inBackground(...asked);
  };
  const lens = commits && new CommitLens(compare, commits, onceRunning(server));
  const waves = new DifferencePanel(extension, sideBySide, () => saveDifference(server, sideBySide));
  const followed = sideBySide.onDidChange(() => {
    hush(sideBySide.documents);
    circuit.followComparison(sideBySide);
  });
  const registered = Disposable.from(waves, followed, sideBySide, ...(lens === undefined ? [] : [lens]), registerEarlier(), ...comparisonCommands(server, sideBySide, waves, commits, lens));
  return { sideBySide, lens, dispose: () => registered.dispose() };
}

type Running = Pick<Server, 'execute' | 'state' | 'onDidChangeState'>;

/**
 * Waits for a server that starts. No message says that there is none, because the user did not request what is
 * done in the background.
 *
 * @throws Refusal when it does not run
 */
export async function running(server: Pick<Running, 'state' | 'onDidChangeState'>): Promise<void> {
  while (server.state === 'starting') {
    await new Promise<void>((resolve) => {
      const listener = server.onDidChangeState(() => {
        listener.dispose();
        resolve();
      });
    });
  }
  if (server.state === 'stopped') throw new Refusal('the server is not running');
}

/** An event of a server: it runs, and did not before. */
export function onceRunning(server: Pick<Running, 'state' | 'onDidChangeState'>): (listener: () => void) => Disposable {
  return (listener) => {
    let before = server.state;
    return server.onDidChangeState(() => {
      const isNew = server.state === 'running' && before !== 'running';
      before = server.state;
      if (isNew) listener();
    });
  };
}

/** How often the server may ask for more files of a commit: once for each file on the way to a model, or so. */
const mostRounds = 200;

export const comparing =
  (server: Pick<Server, 'execute'>, how: Pick<protocol.CompareParams, 'background'> = {}): Compare =>
  async (document, baseline, source) => {
    try {
      for (let round = 0; round < mostRounds; round++) {
        const comparison = await server.execute(protocol.compare, { uri: document.uri.toString(), ...baseline.other, ...how }, source.token);
        if (comparison?.needs === undefined || baseline.tell === undefined) return comparison && noted(comparison, baseline);
        await baseline.tell(comparison.needs);
      }
    } catch (error) {
      const notes = baseline.notes?.() ?? [];
      if (!(error instanceof Refusal) || notes.length === 0) throw error;
      throw new Refusal([error.message, ...notes].join('; '));
    }
    throw new Refusal(`the models come from more than ${mostRounds} files`);
  };

function noted(comparison: protocol.Comparison, { notes }: Baseline): protocol.Comparison {
  return { ...comparison, message: [comparison.message, ...(notes?.() ?? [])].join('; ') };
}

export function comparisonCommands(server: Pick<Server, 'execute'>, sideBySide: SideBySide, waves: Pick<DifferencePanel, 'show'>, commits?: Pick<Commits, 'last'>, lens?: Pick<CommitLens, 'about'>): Disposable[] {
  const compare = comparing(server);

  const run = async ({ document }: TextEditor, find: () => Promise<Baseline | undefined>): Promise<void> => {
    const baseline = await find();
    if (baseline === undefined) return;
    const since = new Since(document, baseline);
    try {
      const comparison = await withProgress(`Comparing with ${baseline.words}`, (source) => compare(document, baseline, source));
      if (comparison !== undefined) await show(document, baseline, comparison, since);
    } finally {
      since.dispose();
    }
  };

  const show = async (document: TextDocument, baseline: Baseline, comparison: protocol.Comparison, since?: Since): Promise<void> => {
    const isPresent = comparison.verdict === 'different' ? await sideBySide.open(document, baseline, comparison, since) : since?.isOver !== true;
    const older = document.version !== comparison.version ? ' (before the last edit)' : isPresent ? '' : ' (before the last change of a text or of a model: compare again)';
    // The message need not be closed before the next step.
    void tell(comparison.verdict === 'equal' ? 'information' : 'warning', `${wordsOf(comparison, baseline)}${older}.`);
  };

  /** Whether the last edit of ours, else what was edited since the last save, has kept the function. */
  const verify = async (about: unknown): Promise<void> => {
    const named = uriFrom(about);
    const shown = named === undefined ? circuitEditor() : window.visibleTextEditors.find(({ document }) => document.uri.toString() === named);
    if (shown === undefined) return;
    const document = circuitIn(shown);
    const since = new Since(document, undefined);
    try {
      const comparison = await withProgress('Comparing with the text before the edit', (source) => server.execute(protocol.compare, { uri: document.uri.toString(), before: true }, source.token));
      if (comparison !== undefined) await show(document, beforeEdit(fileOf(document), comparison), comparison, since);
    } finally {
      since.dispose();
    }
  };

  /** What the lens leads to. */
  const open = async (argument: unknown): Promise<void> => {
    const editor = window.visibleTextEditors.find(({ document }) => document.uri.toString() === argument);
    if (editor === undefined) return;
    const known = lens?.about(editor.document);
    if (known !== undefined) return show(editor.document, known.baseline, known.comparison);
    if (commits !== undefined) await run(editor, () => commits.last(fileOf(editor.document)));
  };

  return [
    forEditor('aiglens.compareWith', (editor) => run(editor, () => chooseBaseline(circuitIn(editor), commits))),
    register('aiglens.verifyEdit', verify),
    register('aiglens.openComparison', open),
    register('aiglens.comparisonNextStep', async () => sideBySide.move(+1)),
    register('aiglens.comparisonPreviousStep', async () => sideBySide.move(-1)),
    register('aiglens.comparisonStep', () => sideBySide.pickStep()),
    register('aiglens.showDifference', () => waves.show()),
    register('aiglens.saveDifference', () => saveDifference(server, sideBySide)),
  ];
}

/** Compares while a notification says so, in which the user can end it: then undefined. */
async function withProgress(title: string, compare: (source: CancellationTokenSource) => ReturnType<Compare>): ReturnType<Compare> {
  const options = { location: ProgressLocation.Notification, cancellable: true, title };
  return window.withProgress(options, async (_, token) => {
    const source = new CancellationTokenSource();
    const listener = token.onCancellationRequested(() => source.cancel());
    try {
      return await compare(source);
    } catch (error) {
      if (token.isCancellationRequested) return undefined;
      throw error;
    } finally {
      listener.dispose();
      source.dispose();
    }
  });
}

function circuitIn({ document }: TextEditor): TextDocument {
  if (!isCircuit(document)) throw new Refusal('this is not a circuit');
  return document;
}

/** Lets the user choose what the circuit is compared with. */
async function chooseBaseline(document: TextDocument, commits: Pick<Commits, 'last'> | undefined): Promise<Baseline | undefined> {
  const items = [
    ...(commits === undefined ? [] : [{ label: '$(git-commit) The Last Commit', of: () => commits.last(fileOf(document)) }]),
    { label: '$(save) The File on Disk', of: async () => onDisk(fileOf(document)) },
    { label: '$(file) Another File…', of: () => chooseFile(document) },
  ];
  return (await window.showQuickPick(items, { placeHolder: `What to compare ${fileName(document.uri.toString())} with` }))?.of();
}

/** Lets the user choose among the circuits of the workspace, or any file. */
async function chooseFile(document: TextDocument): Promise<Baseline | undefined> {
  const own = fileOf(document).toString();
  const found = (await workspace.findFiles(circuits, undefined, 1000)).filter((file) => file.toString() !== own);
  const browse = { label: '$(folder-opened) Another file…', file: undefined as Uri | undefined };
  const items = found.map((file) => ({ label: workspace.asRelativePath(file), file: file as Uri | undefined })).sort((a, b) => (a.label < b.label ? -1 : 1));
  const chosen = await window.showQuickPick([...items, browse], { placeHolder: 'The circuit to compare with' });
  if (chosen === undefined) return undefined;
  const file = chosen.file ?? (await window.showOpenDialog({ title: 'Compare with' }))?.[0];
  return file === undefined ? undefined : anotherFile(file);
}
