// The verdict at the end of a property's row, before VS Code draws the lens that says the same: it waits for a quarter
// of a second before it asks for lenses and for another one before it draws them, longer under load. A verdict
// stands there until its lens can be seen, or for as long as lenses are off. It goes with any edit.
import { type DecorationOptions, Disposable, Range, type TextDocument, type TextEditor, ThemeColor, window, workspace } from 'vscode';
import { isCircuit, isVerilog } from './formats';
import type { LensQuestion } from './lenses';
import type { Notes } from './notes';
import type { PropertyID, PropertyStatus } from './protocol';
import { type FileStatus, isActive, isFresh, type StatusModel } from './status';

/** Milliseconds within which VS Code draws lenses once it has them, but for a machine that is very busy. */
export const drawTime = 750;
/** Milliseconds without an edit after which the lenses are asked for, where VS Code asks for none. */
export const restTime = 400;

interface Said {
  line: number;
  text: string;
}

/** What VS Code got when it asked for lenses. */
interface Given {
  version: number;
  /** Properties with a verdict in lenses that it had before, and may show until these are drawn. */
  before: ReadonlySet<PropertyID>;
  /** What was known when it asked: they may say more, but not less. */
  known: ReadonlyMap<PropertyID, PropertyStatus>;
  /** Their lines and words. */
  titles: ReadonlySet<string>;
}

export class RowVerdicts {
  /** What stands at rows, by the document. */
  private readonly said = new Map<string, Map<PropertyID, Said>>();
  /** The lenses that VS Code has. */
  private readonly given = new Map<string, Given>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly shown = new WeakMap<TextEditor, string>();
  /** Counts the edits of all texts. */
  private edits = 0;
  private readonly listeners: Disposable;

  /**
   * @param notes know where something else stands at the rows, and have the style of what stands after all of it
   */
  constructor(
    private readonly model: StatusModel,
    private readonly lenses: { onDidAskForLenses(listener: (question: LensQuestion) => void): Disposable; askForLenses(document: TextDocument): void },
    private readonly notes: Pick<Notes, 'last' | 'isHushed' | 'onDidHush'>,
  ) {
    this.listeners = Disposable.from(
      model.onDidChange(({ uri, sent }) => this.take(uri, sent)),
      model.onDidClear(() => this.clear()),
      notes.onDidHush(() => this.drawAll()),
      workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri.toString())),
      lenses.onDidAskForLenses((question) => void this.follow(question)),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => contentChanges.length > 0 && (isCircuit(document) || isVerilog(document.uri)) && this.followEdit()),
      workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('editor.codeLens')) return;
        this.clear();
        this.askAllWhereOff();
      }),
      window.onDidChangeVisibleTextEditors((editors) => {
        this.drawAll();
        for (const { document } of editors) if (!this.said.has(document.uri.toString())) this.askWhereOff(document);
      }),
    );
  }

  dispose(): void {
    this.listeners.dispose();
    this.timers.forEach((timer) => clearTimeout(timer));
  }

  private clear(): void {
    this.said.clear();
    this.given.clear();
    this.drawAll();
  }

  private forget(uri: string): void {
    clearTimeout(this.timers.get(uri));
    this.timers.delete(uri);
    this.said.delete(uri);
    this.given.delete(uri);
    this.drawAll();
  }

  /** Takes what has become known. Of a text that is not the present one there is nothing to say. */
  private take(uri: string, sent: readonly PropertyStatus[]): void {
    const file = this.model.file(uri);
    const document = documentOf(uri);
    if (document === undefined) {
      this.said.delete(uri); // it is of what was known before
      return;
    }
    const before = this.said.get(uri);
    const said = new Map(before);
    const fitting = file === undefined || document.version !== file.version ? [] : sent.filter((status) => hasVerdict(status) && !this.isInLens(document, status));
    for (const { property } of sent) said.delete(property);
    for (const property of said.keys()) if (file?.properties.has(property) !== true) said.delete(property);
    for (const [property, one] of saidOf(file, fitting)) said.set(property, one);
    if (said.size > 0 || before !== undefined) this.say(document, said);
  }

  /** A lens that may be seen says it, or another verdict, beside which none of the two would be believed. */
  private isInLens(document: TextDocument, status: PropertyStatus): boolean {
    const given = this.given.get(document.uri.toString());
    if (given === undefined || !areOn(document)) return false;
    return isClaimed(given, status.property) || (given.version === document.version && given.titles.has(titleOf(status)));
  }

  /** What VS Code gets now it draws soon. Where it draws none, they say what is known of this text. */
  private async follow({ document, answer }: LensQuestion): Promise<void> {
    const uri = document.uri.toString();
    const known = this.model.file(uri)?.properties ?? new Map<PropertyID, PropertyStatus>();
    const { version } = document;
    const { edits } = this;
    const lenses = await answer.catch(() => undefined);
    if (lenses == null || document.version !== version || document.isClosed) return;
    const titles = new Set(lenses.map(({ range, command }) => `${range.start.line} ${command?.title}`));
    if (!areOn(document)) {
      if (edits === this.edits) this.sayLenses(document, titles);
      return;
    }
    const last = this.given.get(uri);
    const before = last === undefined ? [] : [...last.before, ...last.known.keys()].filter((property) => isClaimed(last, property));
    const given = { version, known, titles, before: new Set(before) };
    this.given.set(uri, given);
    if (edits !== this.edits) return; // VS Code asks again
    this.later(uri, drawTime, () => {
      this.given.set(uri, { ...given, before: new Set() });
      this.take(uri, [...(this.model.file(uri)?.properties.values() ?? [])]);
    });
  }

  /** Says the verdicts of the lenses of a text. What is said already may be newer. */
  private sayLenses(document: TextDocument, titles: ReadonlySet<string>): void {
    const uri = document.uri.toString();
    const file = this.model.file(uri);
    const inLens = [...(file?.properties.values() ?? [])].filter((status) => hasVerdict(status) && titles.has(titleOf(status)));
    this.say(document, new Map([...saidOf(file, inLens), ...(this.said.get(uri) ?? [])]));
  }

  /** A verdict may rest on any text that is open: none stays. */
  private followEdit(): void {
    // What is known now may be of the text before.
    this.edits++;
    this.timers.forEach((timer) => clearTimeout(timer));
    if (this.said.size > 0) {
      this.said.clear();
      this.drawAll();
    }
    this.askAllWhereOff();
  }

  private askAllWhereOff(): void {
    for (const { document } of window.visibleTextEditors) this.askWhereOff(document);
  }

  /** No news come of verdicts that hold for the next text, too. */
  private askWhereOff(document: TextDocument): void {
    const uri = document.uri.toString();
    if (!areOn(document) && this.model.file(uri) !== undefined) this.later(uri, restTime, () => this.lenses.askForLenses(document));
  }

  private later(uri: string, milliseconds: number, run: () => void): void {
    clearTimeout(this.timers.get(uri));
    this.timers.set(uri, setTimeout(run, milliseconds));
  }

  private say(document: TextDocument, said: Map<PropertyID, Said>): void {
    const uri = document.uri.toString();
    if (said.size === 0) this.said.delete(uri);
    else this.said.set(uri, said);
    for (const editor of window.visibleTextEditors) if (editor.document === document) this.draw(editor);
  }

  private drawAll(): void {
    window.visibleTextEditors.forEach((editor) => this.draw(editor));
  }

  private draw(editor: TextEditor): void {
    const { document } = editor;
    const said = this.notes.isHushed(document) ? [] : [...(this.said.get(document.uri.toString())?.values() ?? [])];
    const wanted = JSON.stringify(said);
    if ((this.shown.get(editor) ?? '[]') === wanted) return;
    this.shown.set(editor, wanted);
    editor.setDecorations(this.notes.last, optionsOf(document, said));
  }
}

/** What is said of some properties. A row with several has one lens for all: its words are not those of one. */
function saidOf(file: FileStatus | undefined, statuses: readonly PropertyStatus[]): Map<PropertyID, Said> {
  if (statuses.length === 0) return new Map();
  const at = new Map<number, number>();
  for (const { range } of file?.properties.values() ?? []) at.set(range.start.line, (at.get(range.start.line) ?? 0) + 1);
  return new Map(statuses.flatMap(({ property, range: { start: { line } }, text }) => (at.get(line) === 1 ? [[property, { line, text }] as const] : [])));
}

function optionsOf(document: TextDocument, said: readonly Said[]): DecorationOptions[] {
  return said.filter(({ line }) => line < document.lineCount).map(({ line, text }) => {
    const { end } = document.lineAt(line).range;
    const after = { contentText: text.replaceAll(' ', '\u00a0'), color: new ThemeColor('aiglens.noteForeground'), margin: '0 0 0 3ch' };
    return { range: new Range(line, end.character, line, end.character), renderOptions: { after } };
  });
}

/** The lens of a property, as its line and its words. */
function titleOf({ range, text }: PropertyStatus): string {
  return `${range.start.line} ${text}`;
}

/** A lens that may be seen has a verdict on the text, of whatever version. */
function isClaimed({ known, before }: Given, property: PropertyID): boolean {
  const status = known.get(property);
  return before.has(property) || (status !== undefined && hasVerdict(status));
}

function hasVerdict(status: PropertyStatus): boolean {
  return status.verdict !== 'none' && isFresh(status) && !isActive(status);
}

function areOn(document: TextDocument): boolean {
  return workspace.getConfiguration('editor', document).get('codeLens', true);
}

function documentOf(uri: string): TextDocument | undefined {
  return window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri)?.document;
}
