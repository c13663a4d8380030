// Texts as VS Code's documents, each a model of Monaco; and the files that they are saved to.
import { editor as monaco, Emitter, Uri } from 'monaco-editor/editor/editor.api.js';
import type { Change, Files } from '../files';
import { unique } from '../unique';
import { fromEndOfLine, fromPosition, fromRange, toPosition, toRange } from './convert';
import { languageOf } from './contributed';
import { Disposable, EndOfLine, Position, Range, type TextEdit, TextDocumentSaveReason, type WorkspaceEdit } from './values';

interface Line {
  readonly lineNumber: number;
  readonly text: string;
  readonly range: Range;
  readonly rangeIncludingLineBreak: Range;
  readonly firstNonWhitespaceCharacterIndex: number;
  readonly isEmptyOrWhitespace: boolean;
}

export class Document {
  isDirty = false;
  isClosed = false;
  readonly isUntitled = false;
  readonly uri: Uri;

  constructor(readonly model: monaco.ITextModel) {
    this.uri = model.uri;
  }
  get fileName(): string {
    return this.uri.path;
  }
  get languageId(): string {
    return this.model.getLanguageId();
  }
  get version(): number {
    return this.model.getVersionId();
  }
  get eol(): number {
    return this.model.getEOL() === '\n' ? EndOfLine.LF : EndOfLine.CRLF;
  }
  get lineCount(): number {
    return this.model.getLineCount();
  }
  getText(range?: Range): string {
    return range === undefined ? this.model.getValue() : this.model.getValueInRange(fromRange(range));
  }
  lineAt(at: number | Position): Line {
    const lineNumber = typeof at === 'number' ? at : at.line;
    if (lineNumber < 0 || lineNumber >= this.lineCount) throw new Error(`there is no line ${lineNumber}`);
    const text = this.model.getLineContent(lineNumber + 1);
    const first = text.search(/\S/);
    const range = new Range(lineNumber, 0, lineNumber, text.length);
    const rangeIncludingLineBreak = lineNumber + 1 < this.lineCount ? new Range(lineNumber, 0, lineNumber + 1, 0) : range;
    return { lineNumber, text, range, rangeIncludingLineBreak, firstNonWhitespaceCharacterIndex: first < 0 ? text.length : first, isEmptyOrWhitespace: first < 0 };
  }
  offsetAt(at: Position): number {
    return this.model.getOffsetAt(fromPosition(at));
  }
  positionAt(offset: number): Position {
    return toPosition(this.model.getPositionAt(offset));
  }
  getWordRangeAtPosition(at: Position): Range | undefined {
    const word = this.model.getWordAtPosition(fromPosition(at));
    return word === null ? undefined : new Range(at.line, word.startColumn - 1, at.line, word.endColumn - 1);
  }
  validateRange(range: Range): Range {
    return toRange(this.model.validateRange(fromRange(range)));
  }
  validatePosition(at: Position): Position {
    return toPosition(this.model.validatePosition(fromPosition(at)));
  }
  async save(): Promise<boolean> {
    return save(this);
  }
}

const open = new Map<string, Document>();
const providers = new Map<string, { provideTextDocumentContent(uri: Uri): Promise<string> | string }>();

const opened = new Emitter<Document>();
const closed = new Emitter<Document>();
const changed = new Emitter<{ document: Document; contentChanges: readonly { range: Range; rangeOffset: number; rangeLength: number; text: string }[]; reason: undefined }>();
const willSave = new Emitter<{ document: Document; reason: number; waitUntil(edits: PromiseLike<readonly TextEdit[]>): void }>();
const saved = new Emitter<Document>();
const dirtied = new Emitter<Document>();

export const onDidOpenTextDocument = opened.event;
export const onDidCloseTextDocument = closed.event;
export const onDidChangeTextDocument = changed.event;
export const onWillSaveTextDocument = willSave.event;
export const onDidSaveTextDocument = saved.event;
/** A document has become one that is to be saved, or is no longer. */
export const onDidChangeDirty = dirtied.event;

/** A document shows now what another tab has made of its file, or is all that is left of it. */
export interface Followed {
  readonly document: Document;
  readonly kind: Change['kind'];
  /** It was changed here, too, since it was saved or followed another tab. */
  readonly wasChanged: boolean;
}
const followed = new Emitter<Followed>();
export const onDidFollow = followed.event;

let files: Files;
/** The files of the page, which is set before anything is opened. */
export function storeIn(all: Files): void {
  files = all;
  files.onDidChange((change) => void follow(change));
}

export const documents = (): Document[] => [...open.values()];

/** The document of a model; none for what the editor itself makes. */
export function documentOf(model: monaco.ITextModel | null): Document | undefined {
  return model === null ? undefined : open.get(model.uri.toString());
}

export async function openTextDocument(what: Uri | string | { content?: string; language?: string }): Promise<Document> {
  if (typeof what === 'string') return openTextDocument(Uri.file(what));
  if (!(what instanceof Uri)) return begin(Uri.from({ scheme: 'untitled', path: `/${unique()}` }), what.content ?? '', what.language);
  const there = open.get(what.toString());
  if (there !== undefined) return there;
  const provider = providers.get(what.scheme);
  const found = provider === undefined ? await files.read(what.path) : await provider.provideTextDocumentContent(what);
  if (typeof found === 'string') return open.get(what.toString()) ?? begin(what, found);
  const now = files.ofUser(what.path)?.bytes ?? found; // another tab may have written it meanwhile
  return open.get(what.toString()) ?? begin(what, new TextDecoder().decode(now));
}

function begin(uri: Uri, text: string, language = languageOf(uri.path, text)): Document {
  const model = monaco.createModel(text, language, uri);
  const document = new Document(model);
  document.isDirty = uri.scheme === 'file' && files.ofUser(uri.path)?.isDraft === true;
  open.set(uri.toString(), document);
  model.onDidChangeContent(({ changes }) => {
    if (uri.scheme === 'file' && following !== document) {
      setDirty(document, true);
      changedHere.add(document);
      files.draft(uri.path, () => bytesOf(document));
    }
    changed.fire({ document, contentChanges: changes.map(({ range, rangeOffset, rangeLength, text: now }) => ({ range: toRange(range), rangeOffset, rangeLength, text: now })), reason: undefined });
  });
  opened.fire(document);
  return document;
}

const bytesOf = (document: Document) => new TextEncoder().encode(document.getText());

/** The document that takes over the text of its file: that is no change to be stored. */
let following: Document | undefined;
const changedHere = new WeakSet<Document>();

/** A document follows its file: what else has written it did so after all that was typed was stored. */
async function follow({ path, kind, isElsewhere }: Change): Promise<void> {
  const document = open.get(Uri.from({ scheme: 'file', path }).toString());
  if (document === undefined) return;
  if (kind === 'removed') {
    if (isElsewhere) setDirty(document, true);
  } else {
    const { version, isDirty: wasDirty } = document;
    const own = files.ofUser(path); // at once: nothing is typed in between
    const text = new TextDecoder().decode(own?.bytes ?? (await files.read(path)));
    if (document.version !== version || document.isClosed) return;
    const isDraft = own?.isDraft === true;
    const differs = text !== document.getText();
    following = document;
    if (differs) replaceText(document, text);
    following = undefined;
    setDirty(document, isDraft);
    if (!isDraft && (differs || (isElsewhere && wasDirty))) saved.fire(document);
    if (!differs) {
      if (!isDraft) changedHere.delete(document); // another tab has saved it
      return;
    }
  }
  const wasChanged = changedHere.delete(document);
  if (isElsewhere) followed.fire({ document, kind, wasChanged });
}

/** Replaces the lines that differ, so that the cursor and what stands elsewhere stay. */
export function replaceText({ model }: Document, text: string): void {
  const was = model.getValue();
  const most = Math.min(was.length, text.length);
  let [from, end] = [0, 0];
  while (from < most && was[from] === text[from]) from++;
  while (end < most - from && was.at(-1 - end) === text.at(-1 - end)) end++;
  from = from === 0 ? 0 : was.lastIndexOf('\n', from - 1) + 1;
  const next = was.indexOf('\n', was.length - end);
  end = next < 0 ? 0 : was.length - next - 1;
  const [start, stop] = [from, was.length - end].map((offset) => model.getPositionAt(offset));
  model.pushStackElement();
  model.pushEditOperations([], [{ range: { startLineNumber: start!.lineNumber, startColumn: start!.column, endLineNumber: stop!.lineNumber, endColumn: stop!.column }, text: text.slice(from, text.length - end) }], () => null);
  model.pushStackElement();
}

function setDirty(document: Document, isDirty: boolean): void {
  if (document.isDirty === isDirty) return;
  document.isDirty = isDirty;
  dirtied.fire(document);
}

export function close(document: Document): void {
  open.delete(document.uri.toString());
  document.isClosed = true;
  closed.fire(document);
  document.model.dispose();
}

async function save(document: Document): Promise<boolean> {
  if (document.uri.scheme !== 'file') return false;
  const edits: PromiseLike<readonly TextEdit[]>[] = [];
  willSave.fire({ document, reason: TextDocumentSaveReason.Manual, waitUntil: (more) => void edits.push(more) });
  const asked = document.version;
  const found = await Promise.all(edits);
  if (document.version === asked) for (const some of found) applyEdits(document, some ?? []);
  const { version } = document;
  await files.write(document.uri.path, bytesOf(document));
  if (document.version === version) {
    setDirty(document, false); // what was typed meanwhile is not saved
    changedHere.delete(document);
  }
  saved.fire(document);
  return true;
}

export function applyEdits({ model }: Document, edits: readonly TextEdit[]): void {
  model.pushStackElement();
  model.pushEditOperations([], edits.map(({ range, newText }) => ({ range: fromRange(range), text: newText })), () => null);
  for (const { newEol } of edits) if (newEol !== undefined) model.pushEOL(fromEndOfLine(newEol));
  model.pushStackElement();
}

export async function applyEdit(edit: WorkspaceEdit): Promise<boolean> {
  for (const [uri, edits] of edit.entries()) applyEdits(await openTextDocument(uri), edits);
  return true;
}

/** Gives the texts of a scheme, until it is disposed of. */
export function registerTextDocumentContentProvider(scheme: string, provider: { onDidChange?(listener: (uri: Uri) => void): { dispose(): void }; provideTextDocumentContent(uri: Uri): Promise<string> | string }): Disposable {
  providers.set(scheme, provider);
  const follow = async (uri: Uri): Promise<void> => {
    const document = open.get(uri.toString());
    const text = document && (await provider.provideTextDocumentContent(uri));
    if (document !== undefined && !document.isClosed && text !== document.getText()) document.model.setValue(text!);
  };
  const listener = provider.onDidChange?.((uri) => void follow(uri));
  return new Disposable(() => {
    providers.delete(scheme);
    listener?.dispose();
  });
}
