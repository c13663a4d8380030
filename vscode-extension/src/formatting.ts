// Formatting a file whose structure is in doubt is refused. The reason goes to
// the status bar: with format on save it comes with every save, and is not worth
// a message that must be closed.
import { window } from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

const shownFor = 8000; // milliseconds

export const formatting: Middleware = {
  provideDocumentFormattingEdits: async (document, options, token, next) => {
    try {
      return await next(document, options, token);
    } catch (error) {
      window.setStatusBarMessage(`aiglens: ${error instanceof Error ? error.message : String(error)}`, shownFor);
      return [];
    }
  },
};
