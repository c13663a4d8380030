// Has the header count a row of an AIGER file once the cursor leaves it or the file is
// saved. A line end that is typed the editor itself tells the server; numbers and rows
// that are taken away only we see.
import { Disposable, type TextDocument, type TextDocumentChangeEvent, TextDocumentSaveReason, type TextEdit, window, workspace } from 'vscode';
import { isCircuit } from './formats';
import type { Server } from './server';

type Edits = Parameters<NonNullable<Server['running']>['protocol2CodeConverter']['asTextEdits']>[0];

/** A blank line in the place of a row is still being worked on. */
const isWritten = (document: TextDocument, line: number) => line < document.lineCount && document.lineAt(line).text.trim() !== '';

export function registerRowsLeft(server: Pick<Server, 'running'>): Disposable {
  /** The row that is being worked on. */
  let row: { document: TextDocument; line: number } | undefined;

  /** The edits once a row was left or, with gone, once that number of rows were deleted at the place of the line. */
  const edits = async (document: TextDocument, line: number, gone = 0): Promise<TextEdit[]> => {
    const client = server.running;
    if (client === undefined || workspace.getConfiguration('editor', document).get('formatOnType') !== true) return [];
    const { version } = document;
    // The client's own listener, which tells the server of the change, comes after ours.
    await new Promise((resolve) => setTimeout(resolve));
    const params = {
      textDocument: { uri: client.code2ProtocolConverter.asUri(document.uri) },
      position: { line: gone > 0 ? line : line + 1, character: 0 },
      ch: gone > 0 ? '\b'.repeat(gone) : '\n',
      options: { tabSize: 1, insertSpaces: true },
    };
    // A refusal or an end of the server leaves the header to its quick fix.
    const answer = await client.sendRequest<Edits>('textDocument/onTypeFormatting', params).catch(() => null);
    // What was typed meanwhile has an answer of its own.
    return document.version === version ? ((await client.protocol2CodeConverter.asTextEdits(answer)) ?? []) : [];
  };

  const follow = async (document: TextDocument, line: number, gone = 0) => {
    const { version } = document;
    const found = await edits(document, line, gone);
    const editor = window.activeTextEditor;
    if (found.length === 0 || editor?.document !== document || document.version !== version) return;
    // One step to undo with what was typed.
    await editor.edit((builder) => found.forEach(({ range, newText }) => builder.replace(range, newText)), { undoStopBefore: false, undoStopAfter: false });
  };

  const changed = ({ document, contentChanges, reason }: TextDocumentChangeEvent) => {
    if (!isCircuit(document) || window.activeTextEditor?.document !== document || contentChanges.length === 0) return;
    if (contentChanges.every(({ range }) => range.end.line === 0)) return; // the header, ours or the user's
    const [{ range, text }, ...more] = contentChanges as [(typeof contentChanges)[number], ...typeof contentChanges];
    row = undefined;
    if (reason !== undefined || more.length > 0) return; // undone, redone, or in several places
    const added = text.split('\n').length - 1;
    const gone = range.end.line - range.start.line;
    if (gone <= added) {
      row = { document, line: range.start.line + added };
    } else if (text === '' && range.start.character === 0 && range.end.character === 0) {
      void follow(document, range.start.line, gone);
    } else if (text === '' && document.lineAt(range.start.line).text.length === range.start.character) {
      void follow(document, range.start.line + 1, gone);
    }
    // Of rows that were joined it is unknown which are gone.
  };

  return Disposable.from(
    workspace.onDidChangeTextDocument(changed),
    window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
      if (row === undefined || textEditor.document !== row.document || selections[0]?.active.line === row.line) return;
      const { document, line } = row;
      row = undefined;
      if (isWritten(document, line)) void follow(document, line);
    }),
    workspace.onWillSaveTextDocument((event) => {
      if (event.document !== row?.document || event.reason !== TextDocumentSaveReason.Manual || !isWritten(row.document, row.line)) return;
      event.waitUntil(edits(event.document, row.line));
    }),
  );
}
