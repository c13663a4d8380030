// Marks in the gutter of every visible editor: the verdict of each property, or
// what is being done about it. VS Code moves marks along with the text, so while
// a status about the present text is on its way they stay as they are.
import {
  Disposable,
  OverviewRulerLane,
  type Range,
  type TextDocument,
  type TextEditor,
  type TextEditorDecorationType,
  ThemeColor,
  window,
  workspace,
} from 'vscode';
import { iconOf, palettes } from './gutterIcons';
import { toRange } from './places';
import { type FileStatus, type Mark, markOf, type StatusModel } from './status';
import { isHighContrast } from './theme';

const marks: readonly Mark[] = ['proved', 'refuted', 'unknown', 'staleProved', 'staleRefuted', 'staleUnknown', 'queued', 'running'];
const settled = 400; // milliseconds without an edit, after which what the server said last is about this text

export class Gutter {
  private types: Map<Mark, TextEditorDecorationType> | undefined;
  private contrast = isHighContrast();
  private readonly drawn = new WeakMap<TextEditor, ReadonlyMap<Mark, readonly number[]>>();
  /** Of each document the last version that has other rows than the one before. */
  private readonly moved = new Map<string, number>();
  /** What has been known of a file through a pause in typing, and so is about the present text. */
  private readonly trusted = new Map<string, FileStatus>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly listeners: Disposable;

  constructor(private readonly model: StatusModel) {
    this.listeners = Disposable.from(
      model.onDidChange(({ uri }) => this.draw(uri)),
      model.onDidClear(() => this.drawAll()),
      window.onDidChangeVisibleTextEditors(() => this.drawAll()),
      window.onDidChangeActiveColorTheme(() => this.themeChanged()),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const rows = contentChanges.some(({ range, text }) => range.start.line !== range.end.line || text.includes('\n'));
        if (rows) this.moved.set(document.uri.toString(), document.version);
        if (contentChanges.length > 0 && model.file(document.uri.toString()) !== undefined) this.settle(document);
      }),
      workspace.onDidCloseTextDocument(({ uri }) => {
        this.moved.delete(uri.toString());
        this.trusted.delete(uri.toString());
      }),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('aiglens.gutter')) this.drawAll();
      }),
    );
    this.drawAll();
  }

  /** The marks of an editor, each with its lines as they were drawn last. */
  marksIn(editor: TextEditor): ReadonlyMap<Mark, readonly number[]> {
    return this.types === undefined ? new Map() : (this.drawn.get(editor) ?? new Map());
  }

  dispose(): void {
    this.listeners.dispose();
    this.timers.forEach((timer) => clearTimeout(timer));
    this.disposeTypes();
  }

  private drawAll(): void {
    if (!enabled()) return this.disposeTypes();
    window.visibleTextEditors.forEach((editor) => this.drawIn(editor, false));
  }

  private draw(uri: string): void {
    if (!enabled()) return;
    const editors = window.visibleTextEditors.filter(({ document }) => document.uri.toString() === uri);
    editors.forEach((editor) => this.drawIn(editor, false));
  }

  /** Draws after a pause whatever is known, so that no mark stays where an edit has left it. */
  private settle(document: TextDocument): void {
    const uri = document.uri.toString();
    clearTimeout(this.timers.get(uri));
    const draw = () => {
      this.timers.delete(uri);
      const file = this.model.file(uri);
      if (file !== undefined) this.trusted.set(uri, file);
      const editors = enabled() ? window.visibleTextEditors.filter((editor) => editor.document === document) : [];
      editors.forEach((editor) => this.drawIn(editor, true));
    };
    this.timers.set(uri, setTimeout(draw, settled));
  }

  private drawIn(editor: TextEditor, sure: boolean): void {
    const uri = editor.document.uri.toString();
    const file = this.model.file(uri);
    const before = this.drawn.get(editor);
    if (file === undefined && before === undefined) return;
    const version = file?.version ?? undefined;
    // Rows of an earlier text: the status of this one follows, or else the pause.
    if (!sure && this.trusted.get(uri) !== file && version !== undefined && version < (this.moved.get(uri) ?? 0)) {
      if (!this.timers.has(uri)) this.settle(editor.document);
      return;
    }
    const ranges = file === undefined ? new Map<Mark, Range[]>() : rangesOf(file);
    const types = this.decorationTypes();
    for (const mark of new Set([...(before?.keys() ?? []), ...ranges.keys()])) {
      const type = types.get(mark);
      if (type !== undefined) editor.setDecorations(type, ranges.get(mark) ?? []);
    }
    this.drawn.set(editor, new Map([...ranges].map(([mark, of]) => [mark, of.map(({ start }) => start.line)])));
  }

  private themeChanged(): void {
    if (this.contrast === isHighContrast()) return;
    this.contrast = isHighContrast();
    this.disposeTypes();
    this.drawAll();
  }

  private decorationTypes(): Map<Mark, TextEditorDecorationType> {
    this.types ??= new Map(marks.map((mark) => [mark, decorationType(mark, this.contrast)]));
    return this.types;
  }

  /** Takes every mark away with its type. */
  private disposeTypes(): void {
    this.types?.forEach((type) => type.dispose());
    this.types = undefined;
  }
}

export function rangesOf({ properties }: Pick<FileStatus, 'properties'>): Map<Mark, Range[]> {
  const ranges = new Map<Mark, Range[]>();
  for (const status of properties.values()) {
    const mark = markOf(status);
    if (mark === undefined) continue;
    const of = ranges.get(mark);
    if (of === undefined) ranges.set(mark, [toRange(status.range)]);
    else of.push(toRange(status.range));
  }
  return ranges;
}

function decorationType(mark: Mark, contrast: boolean): TextEditorDecorationType {
  const ruler = { overviewRulerColor: new ThemeColor('testing.iconFailed'), overviewRulerLane: OverviewRulerLane.Left };
  return window.createTextEditorDecorationType({
    gutterIconSize: 'contain',
    dark: { gutterIconPath: iconOf(mark, contrast ? palettes.highContrast : palettes.dark) },
    light: { gutterIconPath: iconOf(mark, contrast ? palettes.highContrastLight : palettes.light) },
    ...(mark === 'refuted' ? ruler : {}),
  });
}

function enabled(): boolean {
  return workspace.getConfiguration('aiglens').get('gutter.enabled', true);
}
