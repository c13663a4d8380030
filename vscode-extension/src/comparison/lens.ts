// A lens on the first row of a circuit: whether it is the same function as in the last commit.
// Off unless the setting says otherwise; it follows saves, and the server has it wait for all checks.
import { CancellationTokenSource, CodeLens, Disposable, type Event, EventEmitter, Range, type TextDocument, type Uri, languages as editorLanguages, window, workspace } from 'vscode';
import { isCircuit, isModels, languages } from '../formats';
import type { Commits, CommitWatcher } from '../host';
import type { Comparison } from '../protocol';
import { type Baseline, fileOf } from './baseline';
import { watchModels } from './since';

/** What is known of a document. */
interface Known {
  version: number; // of the text that was, or is being, compared
  /** The text of the last commit that it was compared with. */
  baseline?: Baseline;
  comparison?: Comparison;
  /** Why there is no comparison. */
  refused?: string;
  /** Settings have changed since, or another file whose models may be in the circuit. */
  outdated?: boolean;
  running?: CancellationTokenSource;
}

export type Compare = (document: TextDocument, baseline: Baseline, source: CancellationTokenSource) => Promise<Comparison | undefined>;

export class CommitLens {
  private readonly known = new Map<string, Known>();
  private readonly changes = new EventEmitter<void>();
  private readonly listeners: Disposable;
  private readonly watcher: CommitWatcher;
  private queue: Promise<void> = Promise.resolve();
  private isDisposed = false;

  /** @param running tells that there is a server, after there was none */
  constructor(
    private readonly compare: Compare,
    private readonly commits: Pick<Commits, 'last' | 'watcher'>,
    running: Event<void> = () => new Disposable(() => undefined),
  ) {
    this.watcher = commits.watcher(() => this.followAll());
    this.listeners = Disposable.from(
      this.watcher,
      running(() => this.followAll()),
      watchModels((file) => {
        this.outdate(file);
        this.followOutdated();
      }),
      editorLanguages.registerCodeLensProvider(
        languages.map((language) => ({ language })),
        { onDidChangeCodeLenses: this.changes.event, provideCodeLenses: (document) => this.lenses(document) },
      ),
      workspace.onDidSaveTextDocument((document) => {
        this.follow(document);
        if (isModels(document)) this.followOutdated();
      }),
      workspace.onDidOpenTextDocument((document) => this.follow(document)),
      workspace.onDidCloseTextDocument((document) => this.forget(document)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length === 0) return;
        if (this.known.has(document.uri.toString())) this.changes.fire();
        if (isModels(document)) this.outdate(document.uri);
      }),
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.followAll(); // whatever was not noticed meanwhile
      }),
      workspace.onDidChangeConfiguration((event) => {
        // Many of them say how circuits are read; a comparison too many does no harm.
        if (!event.affectsConfiguration('aiglens')) return;
        for (const known of this.known.values()) known.outdated = true;
        this.followAll();
      }),
      workspace.onDidGrantWorkspaceTrust(() => this.followAll()),
    );
    this.followAll();
  }

  /** What is known of the present text of a document, for the command of the lens. */
  about(document: TextDocument): { baseline: Baseline; comparison: Comparison } | undefined {
    const { baseline, comparison, version, outdated } = this.known.get(document.uri.toString()) ?? {};
    return baseline !== undefined && comparison !== undefined && version === document.version && outdated !== true ? { baseline, comparison } : undefined;
  }

  /** The words of the lens; undefined where there is none. */
  title(document: TextDocument): string | undefined {
    if (!wanted(document)) return undefined;
    const known = this.known.get(document.uri.toString());
    if (known === undefined) return undefined;
    const { comparison, refused, running, version, baseline, outdated } = known;
    if (running !== undefined) return 'comparing with HEAD…';
    const words = refused !== undefined ? `not compared with HEAD: ${refused}` : comparison === undefined || baseline === undefined ? undefined : wordsOf(comparison, baseline);
    return words !== undefined && (version !== document.version || outdated === true) ? `stale · ${words}` : words;
  }

  dispose(): void {
    this.isDisposed = true;
    for (const { running } of this.known.values()) running?.cancel();
    this.known.clear();
    this.listeners.dispose();
    this.changes.dispose();
  }

  private lenses(document: TextDocument): CodeLens[] {
    const title = this.title(document);
    if (title === undefined) return [];
    return [new CodeLens(new Range(0, 0, 0, 0), { title, command: 'aiglens.openComparison', arguments: [document.uri.toString()] })];
  }

  /** Follows what can be seen, and what is known of the rest: it may be seen again. */
  private followAll(): void {
    const visible = window.visibleTextEditors.map(({ document }) => document);
    const known = workspace.textDocuments.filter(({ uri }) => this.known.has(uri.toString()));
    for (const document of new Set([...visible, ...known])) this.follow(document);
    this.changes.fire();
  }

  /** A file with models is another one than what circuits were compared with. */
  private outdate(file: Uri): void {
    for (const document of workspace.textDocuments) {
      const known = this.known.get(document.uri.toString());
      if (known !== undefined && isModels(document) && document.uri.toString() !== file.toString()) known.outdated = true;
    }
    this.changes.fire();
  }

  private followOutdated(): void {
    for (const document of workspace.textDocuments) if (this.known.get(document.uri.toString())?.outdated === true) this.follow(document);
  }

  /** Has a document compared, after those that wait already. */
  private follow(document: TextDocument): void {
    if (this.isDisposed || !wanted(document) || document.isDirty) return;
    this.queue = this.queue.then(() => this.run(document)).catch(() => {});
  }

  private forget(document: TextDocument): void {
    const key = document.uri.toString();
    this.known.get(key)?.running?.cancel();
    this.known.delete(key);
  }

  private async run(document: TextDocument): Promise<void> {
    if (this.isDisposed || document.isClosed) return;
    const key = document.uri.toString();
    const before = this.known.get(key);
    const source = new CancellationTokenSource();
    const known: Known = { version: document.version };
    let kept: Known | undefined = known; // what is known afterwards
    const edited = workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && event.contentChanges.length > 0) source.cancel();
    });
    try {
      await this.watcher.watch(fileOf(document)); // before the last commit is read, so that none is missed
      const baseline = await this.commits.last(fileOf(document));
      const isSame = before?.version === document.version && before.comparison !== undefined && before.outdated !== true && sameText(before.baseline, baseline);
      if (isSame || this.isDisposed || document.isClosed || document.isDirty || document.version !== known.version) {
        kept = this.known.get(key);
        return;
      }
      Object.assign(known, { baseline, running: source });
      this.set(key, known);
      const comparison = await this.compare(document, baseline, source);
      if (comparison !== undefined) known.comparison = comparison;
    } catch (error) {
      known.refused = error instanceof Error ? error.message : String(error);
    } finally {
      edited.dispose();
      if (source.token.isCancellationRequested) {
        if (before !== undefined && known.outdated === true) before.outdated = true;
        kept = this.known.get(key) === known ? before : this.known.get(key);
      }
      source.dispose();
      delete known.running;
      if (!document.isClosed && !this.isDisposed) this.set(key, kept);
    }
  }

  private set(key: string, known: Known | undefined): void {
    if (known === undefined || (known.comparison === undefined && known.refused === undefined && known.running === undefined)) this.known.delete(key);
    else this.known.set(key, known);
    this.changes.fire();
  }
}

/** What a comparison says, as a lens and as a message. */
export function wordsOf({ verdict, message }: Comparison, { words }: Baseline): string {
  switch (verdict) {
    case 'equal':
      return message.replace('same function', () => `same function as ${words}`);
    case 'different':
      return `differs from ${words} ${message.replace(/^differs /, '')}`;
    default:
      return `not known to be the same as ${words}: ${message.replace(/^unknown: /, '')}`;
  }
}

function wanted(document: TextDocument): boolean {
  return isCircuit(document) && workspace.isTrusted && fileOf(document).scheme === 'file' && workspace.getConfiguration('aiglens', document).get('compare.withLastCommit', false);
}

/** Copies of the same bytes have the same path. */
function sameText(a: Baseline | undefined, { other, commit, tell }: Baseline): boolean {
  if (a === undefined || a.other.text !== other.text || a.other.path !== other.path) return false;
  return a.commit === commit || tell === undefined; // other files may be others in another commit
}
