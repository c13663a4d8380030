// Two texts side by side, with the values of a step of the run that tells them apart.
import {
  commands,
  type DecorationOptions,
  Disposable,
  EventEmitter,
  Hover,
  MarkdownString,
  type Position,
  Range,
  Selection,
  StatusBarAlignment,
  TabInputTextDiff,
  type TextDocument,
  ThemeColor,
  type TextEditor,
  type Uri,
  ViewColumn,
  window,
  languages as editorLanguages,
} from 'vscode';
import { languages } from '../formats';
import type { ComparedRow, ComparedRun, Comparison } from '../protocol';
import type { Baseline } from './baseline';
import { Since } from './since';

export type Side = 'here' | 'there';

/** Another difference is shown, or another step of it; a text is another one now, or the texts stand no longer side by side. */
export type Change = 'shown' | 'step' | 'over' | 'closed';

/** What a difference that is shown is about. */
export interface About {
  readonly document: TextDocument;
  readonly baseline: Baseline;
  readonly run: ComparedRun;
}

interface Shown extends About {
  readonly here: Uri;
  readonly there: Uri;
  readonly version: number;
  readonly since: Since;
  step: number;
}

export class SideBySide {
  private shown: Shown | undefined;
  private readonly equal = window.createTextEditorDecorationType({ after: { margin: '0 0 0 3ch', color: new ThemeColor('aiglens.valueForeground') } });
  private readonly different = window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new ThemeColor('editor.findMatchHighlightBackground'),
    overviewRulerColor: new ThemeColor('aiglens.changedValueForeground'),
    after: { margin: '0 0 0 3ch', color: new ThemeColor('aiglens.changedValueForeground'), fontWeight: 'bold' },
  });
  private readonly item = window.createStatusBarItem('aiglens.comparison', StatusBarAlignment.Left, 49);
  private readonly listeners: Disposable;
  private readonly changes = new EventEmitter<Change>();
  readonly onDidChange = this.changes.event;

  constructor() {
    this.item.name = 'aiglens: Step of the Comparison';
    this.item.command = 'aiglens.comparisonStep';
    this.listeners = Disposable.from(
      window.onDidChangeVisibleTextEditors(() => this.draw()),
      window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some(({ input }) => this.isShownIn(input))) this.clear('closed');
      }),
      editorLanguages.registerHoverProvider(
        languages.map((language) => ({ language })),
        { provideHover: (document, position) => this.hover(document, position) },
      ),
    );
  }

  /**
   * Opens both texts, at the step in which they differ; without values where these are of an older text.
   *
   * @param before from the start of the comparison
   * @returns whether the comparison is one of the present texts
   */
  async open(document: TextDocument, baseline: Baseline, comparison: Comparison, before?: Since): Promise<boolean> {
    this.clear();
    const { run, version } = comparison;
    const since = new Since(document, baseline, () => {
      if (this.shown?.since === since) this.clear();
    });
    try {
      await openBoth(document, baseline);
    } catch (error) {
      since.dispose();
      throw error;
    }
    const isPresent = document.version === version && before?.isOver !== true && !since.isOver;
    if (run === undefined || !isPresent) {
      since.dispose();
      return isPresent;
    }
    this.clear(); // another one that was opened meanwhile
    this.shown = { document, baseline, run, here: document.uri, there: baseline.document, version, since, step: run.steps - 1 };
    void commands.executeCommand('setContext', 'aiglens.comparing', true);
    this.changed('shown');
    const first = firstOn(run.here);
    const editor = this.editors(document.uri)[0];
    if (first !== undefined && editor !== undefined) editor.revealRange(new Range(first.range.start.line, 0, first.range.start.line, 0), 2);
    return true;
  }

  /** What is drawn in an editor: for tests. */
  textsIn(editor: TextEditor): string[] {
    const side = this.sideOf(editor.document);
    return side === undefined ? [] : [...notes(side, this.shown!.step)].map(([line, { text }]) => `${line}: ${text}`);
  }

  get about(): About | undefined {
    return this.shown;
  }

  /** The step that is shown. */
  get step(): number {
    return this.shown?.step ?? 0;
  }

  /** The addresses of both texts, while a difference is shown. */
  get documents(): string[] {
    return this.shown === undefined ? [] : [this.shown.here.toString(), this.shown.there.toString()];
  }

  move(by: number): void {
    this.goTo(this.step + by);
  }

  goTo(step: number): void {
    if (this.shown === undefined) return;
    const next = Math.max(0, Math.min(this.shown.run.steps - 1, step));
    if (next === this.shown.step) return;
    this.shown.step = next;
    this.changed('step');
  }

  /** Shows a row of one of the texts, beside the other. */
  async reveal(side: Side, { range }: ComparedRow, focus: boolean): Promise<void> {
    const { shown } = this;
    if (shown === undefined) return;
    const uri = side === 'here' ? shown.here : shown.there;
    if (this.editors(uri).length === 0) await openBoth(shown.document, shown.baseline, ViewColumn.One);
    const [editor] = this.editors(uri);
    if (editor === undefined || this.shown !== shown) return;
    const place = new Range(range.start.line, range.start.character, range.start.line, range.start.character);
    editor.selection = new Selection(place.start, place.end);
    editor.revealRange(place, 2);
    if (focus) await commands.executeCommand('workbench.action.focusFirstEditorGroup');
  }

  private changed(what: Change): void {
    this.draw();
    this.changes.fire(what);
  }

  async pickStep(): Promise<void> {
    const { shown } = this;
    if (shown === undefined) return;
    const items = Array.from({ length: shown.run.steps }, (_, step) => {
      const names = shown.run.here.filter(({ differs }) => differs === step).map(({ name }) => name);
      return { label: `step ${step}`, description: names.length > 0 ? `differ from here on: ${list(names)}` : '', step };
    });
    const chosen = await window.showQuickPick(items, { placeHolder: 'The step whose values are shown' });
    if (chosen !== undefined && this.shown === shown) this.goTo(chosen.step);
  }

  dispose(): void {
    this.clear();
    Disposable.from(this.changes, this.listeners, this.equal, this.different, this.item).dispose();
  }

  private isShownIn(input: unknown): boolean {
    const { shown } = this;
    return input instanceof TabInputTextDiff && input.original.toString() === shown?.there.toString() && input.modified.toString() === shown.here.toString();
  }

  private clear(why: 'over' | 'closed' = 'over'): void {
    if (this.shown === undefined) return;
    this.shown.since.dispose();
    this.shown = undefined;
    void commands.executeCommand('setContext', 'aiglens.comparing', false);
    this.changed(why);
  }

  private sideOf({ uri, version }: TextDocument): ComparedRow[] | undefined {
    const { shown } = this;
    if (shown === undefined) return undefined;
    if (uri.toString() === shown.there.toString()) return shown.run.there;
    return uri.toString() === shown.here.toString() && version === shown.version ? shown.run.here : undefined;
  }

  private editors(uri: Uri): TextEditor[] {
    return window.visibleTextEditors.filter(({ document }) => document.uri.toString() === uri.toString());
  }

  private draw(): void {
    let drawn = false;
    for (const editor of window.visibleTextEditors) {
      const equal: DecorationOptions[] = [];
      const different: DecorationOptions[] = [];
      const side = this.sideOf(editor.document);
      for (const [line, { text, differs }] of side === undefined ? [] : notes(side, this.shown!.step)) {
        if (line >= editor.document.lineCount) continue;
        const { end } = editor.document.lineAt(line).range;
        (differs ? different : equal).push({ range: new Range(end, end), renderOptions: { after: { contentText: text } } });
      }
      drawn ||= side !== undefined;
      editor.setDecorations(this.equal, equal);
      editor.setDecorations(this.different, different);
    }
    const { shown } = this;
    if (shown === undefined || !drawn) return this.item.hide();
    this.item.text = `$(git-compare) step ${shown.step} of ${shown.run.steps - 1}`;
    this.item.tooltip = `aiglens: values of step ${shown.step} on both sides; the texts differ in step ${shown.run.steps - 1}. Click for another step.`;
    this.item.show();
  }

  /** The values of a row over all steps, on both sides. */
  private hover(document: TextDocument, { line }: Position): Hover | undefined {
    const rows = this.sideOf(document)?.filter(({ range }) => range.start.line === line) ?? [];
    if (rows.length === 0 || rows.length > most) return undefined;
    const isHere = document.uri.toString() === this.shown!.here.toString();
    const [own, others] = isHere ? ['here', this.shown!.baseline.words] : [this.shown!.baseline.words, 'the other side'];
    const text = new MarkdownString();
    for (const { name, values, other, differs } of rows) {
      text.appendMarkdown(`\n\n**${code(name)}**${differs === undefined ? '' : ` differs from step ${differs} on`}\n\n`);
      text.appendMarkdown(`| step | ${steps(values)} |\n| --- |${' :-: |'.repeat(Math.min(values.length, most))}\n| ${code(own)} | ${cells(values)} |\n`);
      if (other !== undefined) text.appendMarkdown(`| ${code(others)} | ${cells(other)} |\n`);
    }
    return new Hover(text);
  }
}

async function openBoth({ uri }: TextDocument, baseline: Baseline, viewColumn = ViewColumn.Active): Promise<void> {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  await commands.executeCommand('vscode.diff', baseline.document, uri, `${baseline.words} ↔ ${name}`, { preview: true, viewColumn });
}

/** Of steps in a hover, and of rows of a line. */
const most = 24;

function steps(values: string): string {
  return [...values.slice(0, most)].map((_, step) => step).join(' | ');
}

function cells(values: string): string {
  return [...values.slice(0, most)].join(' | ');
}

function code(text: string): string {
  return `\`${text.replace(/[`|\r\n]/g, ' ')}\``;
}

function list(names: string[]): string {
  const shown = names.slice(0, 4).join(', ');
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown;
}

/** The row that differs first. */
function firstOn(rows: readonly ComparedRow[]): ComparedRow | undefined {
  return rows.filter(({ differs }) => differs !== undefined).sort((a, b) => a.differs! - b.differs!)[0];
}

/** What stands after the lines of a text: the values of a step. */
function notes(rows: readonly ComparedRow[], step: number): Map<number, { text: string; differs: boolean }> {
  const lines = new Map<number, { text: string; differs: boolean }>();
  for (const { range, name, values, other } of rows) {
    const value = values[step];
    const there = other?.[step];
    if (value === undefined) continue;
    const differs = there !== undefined && value !== there && value !== 'x' && there !== 'x';
    const word = `${name} = ${value}${differs ? ` ≠ ${there}` : ''}`;
    const before = lines.get(range.start.line);
    const text = before === undefined ? word : `${before.text}, ${word}`;
    lines.set(range.start.line, { text, differs: differs || before?.differs === true });
  }
  return lines;
}
