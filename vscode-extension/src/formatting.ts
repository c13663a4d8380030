// Formatting and code actions, as far as the protocol cannot say it.
//
// Line ends are the document's in VS Code, whatever an edit inserts; the format
// wants LF. A code action that replaces a line end by LF says so.
//
// Formatting a file whose structure is in doubt is refused. The reason goes to
// the status bar: with format on save it comes with every save, and is not worth
// a message that must be closed.
import { CodeAction, EndOfLine, TextEdit, window, workspace } from 'vscode';
import type { Middleware } from 'vscode-languageclient';

import { isModels } from './formats';

const shownFor = 8000; // milliseconds

export const formatting: Middleware = {
  provideCodeActions: async (document, range, context, token, next) => {
    const actions = await next(document, range, context, token);
    for (const action of actions ?? []) {
      setLineEnds(action);
    }
    return actions;
  },
  resolveCodeAction: async (action, token, next) => {
    const resolved = await next(action, token);
    setLineEnds(resolved ?? action);
    return resolved;
  },
  provideDocumentFormattingEdits: async (document, options, token, next) => {
    try {
      const edits = await next(document, options, token);
      return edits && document.eol === EndOfLine.CRLF ? [...edits, TextEdit.setEndOfLine(EndOfLine.LF)] : edits;
    } catch (error) {
      window.setStatusBarMessage(`aiglens: ${error instanceof Error ? error.message : String(error)}`, shownFor);
      return [];
    }
  },
};

function setLineEnds(action: object): void {
  if (!(action instanceof CodeAction) || action.edit === undefined) {
    return;
  }
  for (const [uri, edits] of action.edit.entries()) {
    const document = workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    const replacesEnd = (edit: TextEdit): boolean => edit.newText.endsWith('\n') && edit.range.end.line > edit.range.start.line && edit.range.end.character === 0;
    const isSet = (edit: TextEdit): boolean => edit.newEol !== undefined;
    if (document?.eol === EndOfLine.CRLF && !isModels(document) && edits.some(replacesEnd) && !edits.some(isSet)) {
      action.edit.set(uri, [...edits, TextEdit.setEndOfLine(EndOfLine.LF)]);
    }
  }
}
