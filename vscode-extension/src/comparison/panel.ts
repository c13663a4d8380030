// The difference of two circuits as waves: the page of the trace panel, with the signals of both
// sides. What is selected and the step are shared with the texts.
import { commands, Disposable, Uri, ViewColumn, type WebviewPanel, window } from 'vscode';
import { pageHtml } from '../counterexample/html';
import type { FromPage, PageSignal, PageTrace, PageWord, ToPage } from '../counterexample/messages';
import { isAbout, partsOf } from '../pages';
import { fileName } from '../places';
import type { ComparedRow, ComparedRun, TraceWord } from '../protocol';
import { Refusal } from '../refusal';
import type { Change, Side, SideBySide } from './sideBySide';
import { tell } from '../telling';

/** A signal of the page, and the row of a text that it is. */
interface Drawn extends PageSignal {
  readonly place?: { readonly side: Side; readonly row: ComparedRow };
}

export class DifferencePanel {
  private panel: WebviewPanel | undefined;
  private signals: Drawn[] = [];
  private ready = false;
  /** A panel that is on the way. */
  private opening: Promise<void> | undefined;
  private readonly listener: Disposable;

  constructor(
    private readonly extension: Uri,
    private readonly sideBySide: SideBySide,
    private readonly save: () => Promise<void>,
  ) {
    this.listener = sideBySide.onDidChange((what) => this.follow(what));
  }

  async show(): Promise<void> {
    if (this.sideBySide.about === undefined) throw new Refusal('no difference is shown: compare two circuits first');
    if (this.panel !== undefined) return this.panel.reveal(undefined, false);
    this.opening ??= this.open().finally(() => (this.opening = undefined));
    await this.opening;
  }

  private async open(): Promise<void> {
    const below = window.tabGroups.all.length === 1;
    if (below) await commands.executeCommand('workbench.action.newGroupBelow');
    this.panel = window.createWebviewPanel('aiglens.difference', 'Difference', below ? ViewColumn.Active : ViewColumn.Beside, {});
    this.fill(this.panel);
  }

  dispose(): void {
    this.listener.dispose();
    this.panel?.dispose();
  }

  private fill(panel: WebviewPanel): void {
    panel.webview.onDidReceiveMessage((message: FromPage) => this.receive(message));
    isAbout(panel, () => this.sideBySide.about && { uri: this.sideBySide.about.document.uri.toString() });
    panel.onDidDispose(() => {
      this.panel = undefined;
      this.ready = false;
    });
    panel.webview.html = pageHtml(partsOf(panel.webview, this.extension, 'trace'));
  }

  private send(message: ToPage): void {
    if (this.ready) void this.panel?.webview.postMessage(message);
  }

  private follow(what: Change): void {
    if (what === 'step') this.send({ type: 'step', step: this.sideBySide.step });
    else if (what === 'shown') this.load();
    else if (what === 'closed') this.panel?.dispose();
    else this.send({ type: 'places', stale: true, inText: this.signals.map(() => false) });
  }

  private load(): void {
    const { about, step } = this.sideBySide;
    if (about === undefined || this.panel === undefined) return;
    const { document, baseline, run } = about;
    const file = fileName(document.uri.toString());
    this.panel.title = `${run.observed.name} · ${file} and ${baseline.words}`;
    this.signals = signalsOf(run, baseline.short);
    const signals = this.signals.map(({ place: _, ...signal }) => signal);
    const trace: PageTrace = { name: run.observed.name, file, steps: run.steps, compared: true, stale: false, signals, words: wordsOf(run, baseline.short, this.signals), more: 0 };
    this.send({ type: 'trace', about: { uri: document.uri.toString(), property: '' }, trace, step });
  }

  private async receive(message: FromPage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.ready = true;
        this.load();
        return this.send({ type: 'focus' });
      case 'step':
        return this.sideBySide.goTo(message.step);
      case 'go': {
        const place = this.signals[message.signal]?.place;
        if (place !== undefined) await this.sideBySide.reveal(place.side, place.row, message.focus);
        return;
      }
      case 'action':
        if (message.action === 'export') await this.refusable(() => this.save());
    }
  }

  private async refusable(run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      void tell('warning', error.message);
    }
  }
}

const groups = { input: 'inputs', latch: 'latches', gate: 'others' } as const;

/**
 * What differs comes first, by the step in which it does, each row of this text with that of the
 * other side below. What is the same on both sides is one row.
 */
export function signalsOf(run: ComparedRun, short: string): Drawn[] {
  const { observed } = run;
  const drawn = (side: Side, group: Drawn['group'], name: string, values: string, row: ComparedRow | undefined): Drawn => ({
    group,
    name: side === 'here' ? name : `${short}: ${name}`,
    values,
    relevant: true,
    inText: true,
    ...(row === undefined ? {} : { place: { side, row } }),
  });
  const called = (rows: readonly ComparedRow[], name: string, values: string) => rows.find((row) => row.name === name && row.values === values);
  const partner = (row: ComparedRow, group: Drawn['group']) => drawn('there', group, row.name, row.other!, called(run.there, row.name, row.other!));
  const signals = [
    drawn('here', 'property', observed.name, observed.values, called(run.here, observed.name, observed.values)),
    drawn('there', 'differ', observed.name, observed.other, called(run.there, observed.name, observed.other)),
  ];
  const differing = run.here.filter(({ differs, name, values }) => differs !== undefined && (name !== observed.name || values !== observed.values));
  for (const row of differing.sort((a, b) => a.differs! - b.differs!)) signals.push(drawn('here', 'differ', row.name, row.values, row), partner(row, 'differ'));
  for (const row of run.here.filter(({ differs }) => differs === undefined)) {
    signals.push(drawn('here', groups[row.kind], row.name, row.values, row));
    if (row.other !== undefined && row.other !== row.values) signals.push(partner(row, groups[row.kind]));
  }
  for (const row of run.there.filter(({ other }) => other === undefined)) signals.push(drawn('there', groups[row.kind], row.name, row.values, row));
  return signals;
}

/** The words of both sides, over the signals of the page. Of the other side there are those that differ. */
export function wordsOf(run: ComparedRun, short: string, signals: readonly Drawn[]): PageWord[] {
  const at = new Map(signals.flatMap(({ place }, index) => (place === undefined ? [] : [[place.row, index] as const])));
  const same = (row: ComparedRow) => signals.findIndex(({ place }) => place?.side === 'here' && place.row.name === row.name && place.row.other === row.values);
  const drawn = (side: Side, rows: readonly ComparedRow[], words: readonly TraceWord[] = []) =>
    words.flatMap((word): PageWord[] => {
      const own = word.bits.map(({ signal }) => (signal < 0 ? undefined : at.get(rows[signal]!)));
      const shown = own.filter((index) => index !== undefined);
      if (shown.length === 0) return [];
      const bits = word.bits.map((bit, position) => ({ ...bit, signal: own[position] ?? (bit.signal < 0 || side === 'here' ? -1 : same(rows[bit.signal]!)) }));
      const differs = shown.some((index) => signals[index]!.group === 'differ');
      return [{ ...word, bits, group: differs ? 'differ' : signals[shown[0]!]!.group, name: side === 'here' ? word.name : `${short}: ${word.name}` }];
    });
  return [...drawn('here', run.here, run.hereWords), ...drawn('there', run.there, run.thereWords)];
}
