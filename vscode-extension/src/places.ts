// Places of the server in the words of VS Code, and how to get there.
import { Range, Selection, type TextEditor, TextEditorRevealType, Uri, ViewColumn, window, workspace } from 'vscode';
import type { Range as WireRange } from 'vscode-languageclient';
import { decodedUri } from './decodedUri';
import { isCircuit, isEncoded } from './formats';
import { activeSubject, subjectOf } from './pages';

/**
 * The active editor; where a page is active, the one with its circuit, if that is in view; where another view is
 * active, one with a circuit that is in view.
 */
export function circuitEditor(): TextEditor | undefined {
  const subject = activeSubject();
  if (subject !== undefined) return window.visibleTextEditors.find(({ document }) => document.uri.toString() === documentUri(subject.uri).toString());
  const active = window.activeTextEditor;
  // One that stands in no column, such as the text of the output, takes the place of no circuit.
  if (active !== undefined && (active.viewColumn !== undefined || isCircuit(active.document))) return active;
  return window.visibleTextEditors.find(({ document }) => isCircuit(document)) ?? active;
}

/** The same; brings the circuit of an active page into view. */
export async function openCircuitEditor(): Promise<TextEditor | undefined> {
  const subject = activeSubject();
  const open = circuitEditor();
  if (open !== undefined || subject === undefined) return open;
  const document = await workspace.openTextDocument(documentUri(subject.uri));
  return window.showTextDocument(document, { preserveFocus: true, viewColumn: columnOf(document.uri) });
}

/** The file that commands are about. */
export function circuitUri(): string | undefined {
  return activeSubject()?.uri ?? circuitEditor()?.document.uri.toString();
}

/** The document whose verdicts are shown: a page that covers its circuit does not hide them. */
export function shownUri(): string | undefined {
  return circuitEditor()?.document.uri.toString() ?? circuitUri();
}

export function toRange({ start, end }: WireRange): Range {
  return new Range(start.line, start.character, end.line, end.character);
}

/** The document that shows a file: binary and packed ones have text of their own. */
export function documentUri(uri: string): Uri {
  const parsed = Uri.parse(uri);
  return isEncoded(parsed) ? decodedUri(parsed) : parsed;
}

/** Where the document is open already, so that showing it does not open it twice. */
export function columnOf(uri: Uri): ViewColumn {
  const open = window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
  // Where a view of another kind is active, texts go beside the other texts.
  const others = window.visibleTextEditors.filter(({ document }) => subjectOf(document.uri) === undefined);
  const beside = window.activeTextEditor === undefined || activeSubject() !== undefined ? others[0]?.viewColumn : undefined;
  return open?.viewColumn ?? beside ?? ViewColumn.Active;
}

/** Shows a place, selected; as a preview it leaves the focus where it is. */
export async function reveal(uri: string, { start, end }: WireRange, preview: boolean): Promise<void> {
  const document = await workspace.openTextDocument(documentUri(uri));
  const selection = new Selection(start.line, start.character, end.line, end.character);
  const inView = preview ? window.visibleTextEditors.find((one) => one.document === document) : undefined;
  if (inView !== undefined) {
    // What need not be opened nor get the focus is there one round between the processes earlier.
    inView.selection = selection;
    inView.revealRange(selection, TextEditorRevealType.InCenterIfOutsideViewport);
    return;
  }
  const editor = await window.showTextDocument(document, { preserveFocus: preview, viewColumn: columnOf(document.uri), selection });
  editor.revealRange(selection, TextEditorRevealType.InCenterIfOutsideViewport);
}

/** Brings a place into view where its document is, without selecting it. */
export function revealRow(uri: string, range: WireRange): void {
  for (const editor of window.visibleTextEditors) {
    if (editor.document.uri.toString() === documentUri(uri).toString()) editor.revealRange(toRange(range), TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

/** The file that the argument of a command is about; undefined for none. */
export function uriFrom(argument: unknown): string | undefined {
  const { uri } = (argument ?? {}) as { uri?: unknown };
  return typeof uri === 'string' ? Uri.parse(uri).toString() : undefined;
}

/** The property that the argument of a command names, as lenses do; menus pass something else. */
export function propertyFrom(argument: unknown): { uri: string; property: string } | undefined {
  if (typeof argument !== 'object' || argument === null) return undefined;
  const { uri, property } = argument as { uri?: unknown; property?: unknown };
  return typeof uri === 'string' && typeof property === 'string' ? { uri: Uri.parse(uri).toString(), property } : undefined;
}

/** The last part of a path. */
export function fileName(uri: string): string {
  const { path } = Uri.parse(uri);
  return path.slice(path.lastIndexOf('/') + 1);
}
