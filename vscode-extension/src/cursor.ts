// Tells the server where the user is: for what to check first, before a save, which
// may begin checks, when checks begin to wait, and while they do; for hints in the row of
// the cursor, where these are wanted, at once. The server knows it from nothing else.
import { Disposable, type TextEditor, window, workspace } from 'vscode';
import { isCircuit } from './formats';
import * as protocol from './protocol';
import type { Server } from './server';
import { countsOf, type StatusModel } from './status';

const pause = 300; // milliseconds that the cursor stays before it is sent

export function registerCursor(server: Pick<Server, 'notify'>, model: StatusModel): Disposable {
  let timer: NodeJS.Timeout | undefined;
  let sent: string | undefined;
  let wereWaiting = false;
  const send = (editor: TextEditor | undefined) => {
    clearTimeout(timer);
    if (editor === undefined) return;
    const { document } = editor;
    if (model.file(document.uri.toString()) === undefined && !(hintsFollow() && isCircuit(document))) return;
    const { line, character } = editor.selection.active;
    const params: protocol.CursorParams = { uri: document.uri.toString(), position: { line, character } };
    // Within a row nothing comes of it.
    if (sent === `${params.uri} ${line}`) return;
    sent = `${params.uri} ${line}`;
    server.notify(protocol.cursor, params);
  };
  const areWaiting = () => countsOf(...model.files).queued > 0;
  const later = () => {
    if (hintsFollow()) return send(window.activeTextEditor);
    if (!areWaiting()) return;
    clearTimeout(timer);
    timer = setTimeout(() => send(window.activeTextEditor), pause);
  };
  return Disposable.from(
    { dispose: () => clearTimeout(timer) },
    window.onDidChangeTextEditorSelection(later),
    window.onDidChangeActiveTextEditor(later),
    workspace.onWillSaveTextDocument(({ document }) => {
      if (window.activeTextEditor?.document !== document) return;
      sent = undefined;
      send(window.activeTextEditor);
    }),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('aiglens.inlayHints.layout')) later();
    }),
    model.onDidChange(() => {
      const begin = !wereWaiting;
      wereWaiting = areWaiting();
      if (begin && wereWaiting) send(window.activeTextEditor);
    }),
    model.onDidClear(() => {
      sent = undefined;
      wereWaiting = false;
    }),
  );
}

/** The row of the cursor has hints of its own. */
function hintsFollow(): boolean {
  return workspace.getConfiguration('aiglens').get('inlayHints.layout') === 'cursorLine';
}
