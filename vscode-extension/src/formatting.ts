// Formatting, as far as the protocol cannot say it.
//
// Line ends are the document's in VS Code, whatever an edit inserts; the format
// wants LF.
//
// Formatting a file whose structure is in doubt is refused. The reason goes to
// the status bar: with format on save it comes with every save, and is not worth
// a message that must be closed.
import { EndOfLine, TextEdit, window } from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

const shownFor = 8000; // milliseconds

export const formatting: Middleware = {
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
