// Questions of the user that come before the server runs. VS Code asks only providers that
// are registered by then, and forgets the question: so as long as the server starts, these
// providers are registered in place of the client's, and each answer waits for the client.
// What VS Code asks by itself (colours, hints, lenses) it asks again once the client registers.
import { type CancellationToken, Disposable, type DocumentSelector, languages, type ProviderResult, type TextDocument } from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';

/** @param ready resolves once the server runs, or once it is known that it does not start */
export function answerEarly(selector: DocumentSelector, ready: () => Promise<LanguageClient | undefined>): Disposable {
  /** Has the client's own provider answer, once there is one. */
  const later =
    <Rest extends unknown[], Answer>(answer: (client: LanguageClient, document: TextDocument, ...rest: Rest) => ProviderResult<Answer>) =>
    async (document: TextDocument, ...rest: Rest): Promise<Answer | undefined> => {
      const client = await ready();
      return (client && (await answer(client, document, ...rest))) ?? undefined;
    };
  return Disposable.from(
    languages.registerCompletionItemProvider(selector, {
      provideCompletionItems: later((client, document, ...rest) => client.getFeature('textDocument/completion').getProvider(document)?.provideCompletionItems(document, ...rest)),
    }),
    languages.registerHoverProvider(selector, {
      provideHover: later((client, document, ...rest) => client.getFeature('textDocument/hover').getProvider(document)?.provideHover(document, ...rest)),
    }),
    languages.registerDefinitionProvider(selector, {
      provideDefinition: later((client, document, ...rest) => client.getFeature('textDocument/definition').getProvider(document)?.provideDefinition(document, ...rest)),
    }),
    languages.registerReferenceProvider(selector, {
      provideReferences: later((client, document, ...rest) => client.getFeature('textDocument/references').getProvider(document)?.provideReferences(document, ...rest)),
    }),
    languages.registerRenameProvider(selector, {
      prepareRename: later((client, document, ...rest) => client.getFeature('textDocument/rename').getProvider(document)?.prepareRename?.(document, ...rest)),
      provideRenameEdits: later((client, document, ...rest) => client.getFeature('textDocument/rename').getProvider(document)?.provideRenameEdits(document, ...rest)),
    }),
    languages.registerDocumentFormattingEditProvider(selector, {
      provideDocumentFormattingEdits: later((client, document, ...rest) => client.getFeature('textDocument/formatting').getProvider(document)?.provideDocumentFormattingEdits(document, ...rest)),
    }),
    languages.registerCodeActionsProvider(selector, {
      provideCodeActions: later((client, document, ...rest) => client.getFeature('textDocument/codeAction').getProvider(document)?.provideCodeActions(document, ...rest)),
    }),
    languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: async (query: string, token: CancellationToken) => {
        const providers = (await ready())?.getFeature('workspace/symbol').getProviders() ?? [];
        return (await Promise.all(providers.map((provider) => provider.provideWorkspaceSymbols(query, token)))).flatMap((found) => found ?? []);
      },
    }),
  );
}
