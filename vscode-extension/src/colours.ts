// Colours by kind of a large file, of which the server classifies only what is visible.
import { CancellationError } from 'vscode';
import type { Middleware } from 'vscode-languageclient';

/**
 * VS Code takes the answer that there are no tokens for the last word, and does not ask for
 * those of what is visible any more; an answer that is taken back leaves it asking. Nor
 * should it rely on an empty text, into which a large one may be pasted.
 */
export const colours: Middleware = {
  provideDocumentSemanticTokens: async (document, token, next) => {
    const tokens = await next(document, token);
    if (!tokens?.data.length) throw new CancellationError();
    return tokens;
  },
};
