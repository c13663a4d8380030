// Questions of the user that come before the server runs. VS Code asks only providers that
// are registered by then, and forgets the question: so as long as the server starts, these
// providers are registered in place of the client's, and each answer waits for the client.
// VS Code may have asked them when it does not know of the client's yet: they answer such a
// question, too, and must stay until it knows.
// What VS Code asks by itself (colours, hints, lenses) it asks again once the client registers.
import { type CancellationToken, CodeAction, type CodeActionContext, CodeActionTriggerKind, type Command, commands, type CompletionItemProvider, Disposable, type DocumentSelector, languages, type ProviderResult, type Range, type RenameProvider, type TextDocument } from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';

/** @param ready resolves once the server runs, or once it is known that it does not start */
export function answerEarly(selector: DocumentSelector, ready: () => Promise<BaseLanguageClient | undefined>): Disposable {
  /** Has the client's own provider answer, once there is one. */
  const later =
    <Rest extends unknown[], Answer>(answer: (client: BaseLanguageClient, document: TextDocument, ...rest: Rest) => ProviderResult<Answer>) =>
    async (document: TextDocument, ...rest: Rest): Promise<Answer | undefined> => {
      const client = await ready();
      return (client && (await answer(client, document, ...rest))) ?? undefined;
    };
  const actions = later((client, document, range: Range, context: CodeActionContext, token: CancellationToken) => wholeActions(client, document, range, context, token));
  return Disposable.from(
    languages.registerCompletionItemProvider(selector, completeEarly(ready)),
    languages.registerHoverProvider(selector, {
      provideHover: later((client, document, ...rest) => client.getFeature('textDocument/hover').getProvider(document)?.provideHover(document, ...rest)),
    }),
    languages.registerDefinitionProvider(selector, {
      provideDefinition: later((client, document, ...rest) => client.getFeature('textDocument/definition').getProvider(document)?.provideDefinition(document, ...rest)),
    }),
    languages.registerReferenceProvider(selector, {
      provideReferences: later((client, document, ...rest) => client.getFeature('textDocument/references').getProvider(document)?.provideReferences(document, ...rest)),
    }),
    renameEarly(selector, {
      prepareRename: later((client, document, ...rest) => client.getFeature('textDocument/rename').getProvider(document)?.prepareRename?.(document, ...rest)),
      provideRenameEdits: later((client, document, ...rest) => client.getFeature('textDocument/rename').getProvider(document)?.provideRenameEdits(document, ...rest)),
    }),
    languages.registerDocumentFormattingEditProvider(selector, {
      provideDocumentFormattingEdits: later((client, document, ...rest) => client.getFeature('textDocument/formatting').getProvider(document)?.provideDocumentFormattingEdits(document, ...rest)),
    }),
    languages.registerCodeActionsProvider(selector, {
      provideCodeActions: (document, range, context, token) => (asksAgain(context) ? undefined : actions(document, range, context, token)),
    }),
    languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: async (query: string, token: CancellationToken) => {
        const providers = (await ready())?.getFeature('workspace/symbol').getProviders() ?? [];
        return (await Promise.all(providers.map((provider) => provider.provideWorkspaceSymbols(query, token)))).flatMap((found) => found ?? []);
      },
    }),
  );
}

/**
 * While suggestions are shown or waited for, VS Code cancels the question and asks all providers again when another one
 * registers. What the client's provider answers then must not be offered twice: only a question that is not asked again,
 * as that of another extension, is answered here.
 */
function completeEarly(ready: () => Promise<BaseLanguageClient | undefined>): CompletionItemProvider {
  let isOver = false;
  void ready().then(() => (isOver = true));
  return {
    provideCompletionItems: async (document, position, token, context) => {
      if (isOver) return undefined;
      const client = await ready();
      await roundTrip();
      if (token.isCancellationRequested) return undefined;
      return client?.getFeature('textDocument/completion').getProvider(document)?.provideCompletionItems(document, position, token, context);
    },
  };
}

/**
 * A rename is two questions, and VS Code puts the second one to the provider that has answered the first.
 * Where the first one came early, the provider stays until the second one has come.
 */
function renameEarly(selector: DocumentSelector, provider: Required<RenameProvider>): Disposable {
  let asked = false;
  let over = false;
  const registration = languages.registerRenameProvider(selector, {
    prepareRename: (...question) => {
      if (over) return undefined;
      asked = true;
      return provider.prepareRename(...question);
    },
    provideRenameEdits: (...question) => {
      if (over) registration.dispose();
      return provider.provideRenameEdits(...question);
    },
  });
  return new Disposable(() => {
    over = true;
    if (!asked) registration.dispose();
  });
}

/** VS Code asks by itself whether to show a light bulb, and again once the client registers. */
function asksAgain({ triggerKind, only }: CodeActionContext): boolean {
  return triggerKind === CodeActionTriggerKind.Automatic && only === undefined;
}

/** Code actions with their edits. When one is chosen the provider that gave it is gone, and VS Code asks no other for the edit. */
async function wholeActions(client: BaseLanguageClient, document: TextDocument, range: Range, context: CodeActionContext, token: CancellationToken): Promise<(Command | CodeAction)[]> {
  const provider = client.getFeature('textDocument/codeAction').getProvider(document);
  const found = (await provider?.provideCodeActions(document, range, context, token)) ?? [];
  const whole = found.map(async (action) => {
    const isWhole = !(action instanceof CodeAction) || action.edit !== undefined || action.command !== undefined;
    return isWhole ? action : await provider?.resolveCodeAction?.(action, token);
  });
  // An action whose edit the server refuses is left out.
  return (await Promise.allSettled(whole)).flatMap((one) => (one.status === 'fulfilled' && one.value) || []);
}

/**
 * Resolves once VS Code knows all providers that are registered here by now, and all that it asked before has come
 * here: messages keep their order. Until then it asks the providers that it knows.
 */
export async function roundTrip(): Promise<void> {
  await commands.getCommands();
}
