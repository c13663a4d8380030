// The editors that show documents: each is one of Monaco together with what it shows now. Another document in the same
// place is another editor, as in VS Code.
import { editor as monaco, Emitter } from 'monaco-editor/editor/editor.api.js';
import { fromRange, toRange } from './convert';
import { applyEdits, type Document, documentOf } from './documents';
import { type DecorationType, Styles } from './decorations';
import { type Position, Range, Selection, TextEdit, TextEditorRevealType } from './values';

const styles = new Styles((type) => visibleTextEditors().forEach((editor) => editor.setDecorations(type, [])));
export const createTextEditorDecorationType = (options: object): DecorationType => styles.create(options);

export class TextEditor {
  private readonly decorations: monaco.IEditorDecorationsCollection;
  private readonly drawn = new Map<DecorationType, { range: Range; renderOptions?: object }[]>();
  private waits = false;

  constructor(
    readonly widget: monaco.IStandaloneCodeEditor,
    readonly document: Document,
    readonly viewColumn: number,
  ) {
    this.decorations = widget.createDecorationsCollection();
  }

  /** It is the one that stands in its place. */
  get isShown(): boolean {
    return this.widget.getModel() === this.document.model;
  }
  get selection(): Selection {
    return toSelection(this.widget.getSelection()!);
  }
  set selection(to: Selection) {
    this.selections = [to];
  }
  get selections(): Selection[] {
    return (this.widget.getSelections() ?? []).map(toSelection);
  }
  set selections(to: readonly Selection[]) {
    this.widget.setSelections(to.map(({ anchor, active }) => ({ selectionStartLineNumber: anchor.line + 1, selectionStartColumn: anchor.character + 1, positionLineNumber: active.line + 1, positionColumn: active.character + 1 })));
  }
  get visibleRanges(): Range[] {
    return this.isShown ? this.widget.getVisibleRanges().map(toRange) : [];
  }
  get options(): object {
    const { tabSize, insertSpaces } = this.document.model.getOptions();
    return { tabSize, insertSpaces };
  }
  revealRange(range: Range, how: number = TextEditorRevealType.Default): void {
    const to = fromRange(range);
    if (how === TextEditorRevealType.InCenterIfOutsideViewport) this.widget.revealRangeInCenterIfOutsideViewport(to);
    else if (how === TextEditorRevealType.InCenter) this.widget.revealRangeInCenter(to);
    else if (how === TextEditorRevealType.AtTop) this.widget.revealRangeAtTop(to);
    else this.widget.revealRange(to);
  }
  async edit(fill: (builder: { replace(where: Range, text: string): void; insert(at: Position, text: string): void; delete(where: Range): void }) => void): Promise<boolean> {
    const edits: TextEdit[] = [];
    fill({ replace: (where, text) => edits.push(new TextEdit(where, text)), insert: (at, text) => edits.push(TextEdit.insert(at, text)), delete: (where) => edits.push(TextEdit.delete(where)) });
    applyEdits(this.document, edits);
    return true;
  }
  /** All types are drawn together, so that what stands at one place is in the order of the types. */
  setDecorations(type: DecorationType, where: readonly (Range | { range: Range; renderOptions?: object })[]): void {
    const options = where.map((one) => (one instanceof Range ? { range: one } : one));
    if (options.length === 0) this.drawn.delete(type);
    else this.drawn.set(type, options);
    if (this.waits) return;
    this.waits = true;
    queueMicrotask(() => this.draw());
  }
  private draw(): void {
    this.waits = false;
    if (!this.isShown) return;
    if (styles.isFull) return styles.renew(() => visibleTextEditors().forEach((editor) => editor.draw()));
    const types = [...this.drawn.keys()].sort((a, b) => (a.key < b.key ? -1 : 1));
    this.decorations.set(types.flatMap((type) => this.drawn.get(type)!.map(({ range, renderOptions }) => ({ range: fromRange(range), options: styles.decoration(type, renderOptions) }))));
  }
}

function toSelection({ selectionStartLineNumber, selectionStartColumn, positionLineNumber, positionColumn }: { selectionStartLineNumber: number; selectionStartColumn: number; positionLineNumber: number; positionColumn: number }): Selection {
  return new Selection(selectionStartLineNumber - 1, selectionStartColumn - 1, positionLineNumber - 1, positionColumn - 1);
}

const activated = new Emitter<TextEditor | undefined>();
const visible = new Emitter<TextEditor[]>();
const selected = new Emitter<{ textEditor: TextEditor; selections: Selection[]; kind: undefined }>();
const scrolled = new Emitter<{ textEditor: TextEditor; visibleRanges: Range[] }>();
export const onDidChangeActiveTextEditor = activated.event;
export const onDidChangeVisibleTextEditors = visible.event;
export const onDidChangeTextEditorSelection = selected.event;
export const onDidChangeTextEditorVisibleRanges = scrolled.event;

/** A place that shows one document at a time. */
export class EditorPlace {
  current: TextEditor | undefined;
  private readonly views = new Map<Document, monaco.ICodeEditorViewState | null>();

  constructor(
    readonly widget: monaco.IStandaloneCodeEditor,
    readonly column: number,
  ) {
    places.push(this);
    widget.onDidFocusEditorText(() => setActive(this.current));
    widget.onDidChangeCursorSelection(() => this.current?.isShown && selected.fire({ textEditor: this.current, selections: this.current.selections, kind: undefined }));
    widget.onDidScrollChange(() => this.current?.isShown && scrolled.fire({ textEditor: this.current, visibleRanges: this.current.visibleRanges }));
  }

  show(document: Document): TextEditor {
    if (this.current?.document === document && this.current.isShown) return this.current;
    this.leave();
    this.widget.setModel(document.model);
    const view = this.views.get(document);
    if (view != null) this.widget.restoreViewState(view);
    this.widget.updateOptions({ readOnly: isReadOnly || document.uri.scheme !== 'file' });
    const before = this.current;
    this.current = new TextEditor(this.widget, document, this.column);
    visible.fire(visibleTextEditors());
    if (active === before || active === undefined) setActive(this.current);
    return this.current;
  }

  clear(): void {
    this.leave();
    const before = this.current;
    this.current = undefined;
    this.widget.setModel(null);
    visible.fire(visibleTextEditors());
    if (active === before) setActive(places[0]?.current);
  }

  dispose(): void {
    places.splice(places.indexOf(this), 1);
    this.clear();
    this.widget.dispose();
  }

  private leave(): void {
    const before = documentOf(this.widget.getModel());
    if (before !== undefined) this.views.set(before, this.widget.saveViewState());
  }
}

const places: EditorPlace[] = [];
let isReadOnly = false;

/** On a narrow screen texts are read. */
export function setReadOnly(to: boolean): void {
  isReadOnly = to;
  for (const { widget, current } of places) widget.updateOptions({ readOnly: to || current?.document.uri.scheme !== 'file' });
}

let active: TextEditor | undefined;
export const activeTextEditor = (): TextEditor | undefined => active;

/** Undefined while a panel has the focus. */
export function setActive(editor: TextEditor | undefined): void {
  if (active === editor) return;
  active = editor;
  activated.fire(editor);
}

export const visibleTextEditors = (): TextEditor[] => places.flatMap(({ current }) => current ?? []);
