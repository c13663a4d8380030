// Providers of VS Code as providers of Monaco: questions and answers in the words of the other.
import * as monaco from 'monaco-editor/editor/editor.api.js';
import type * as vscode from 'vscode';
import { fromEndOfLine, fromMarkdown, fromPosition, fromRange, fromText, toPosition, toRange } from './convert';
import { isLike } from '../patterns';
import { executeCommand, registerCommand } from './commands';
import { applyEdit, type Document, documentOf, openTextDocument } from './documents';
import { CodeAction, CodeActionKind, CompletionItem, CompletionItemKind, CompletionList, Diagnostic, type Disposable, type DocumentSymbol, type SemanticTokens, SemanticTokensEdits, Disposable as Disposed, type SelectionRange, type SymbolInformation, type WorkspaceEdit } from './values';

import api = monaco.languages;

type Model = monaco.editor.ITextModel;
/* The providers of the language client answer with values of values.ts, whose types are not those that VS Code
   declares; each is read here as what it is. */
type Any = any; // eslint-disable-line

const list = <T>(some: T | T[] | null | undefined): T[] => (some == null ? [] : Array.isArray(some) ? some : [some]);

/** Whether a document is one of those that a selector names: VS Code's score, as far as it matters. */
export function match(selector: vscode.DocumentSelector, document: Pick<vscode.TextDocument, 'uri' | 'languageId'>): number {
  return list(selector as Any).some((filter) => matches(filter as Any, document)) ? 10 : 0;
}

function matches(filter: string | { language?: string; scheme?: string; pattern?: unknown; notebookType?: string }, { uri, languageId }: Pick<vscode.TextDocument, 'uri' | 'languageId'>): boolean {
  if (typeof filter === 'string') return filter === '*' || filter === languageId;
  if (filter.notebookType !== undefined) return false;
  const isOf = (wanted: string | undefined, is: string) => wanted === undefined || wanted === '*' || wanted === is;
  return isOf(filter.language, languageId) && isOf(filter.scheme, uri.scheme) && (filter.pattern === undefined || isLike(filter.pattern as string, uri.path));
}

/** Monaco asks for all documents, and the provider that a selector leaves out answers nothing. */
function ask<Answer>(selector: vscode.DocumentSelector, model: Model, question: (document: Any) => Promise<Answer> | Answer): Promise<Answer | undefined> | undefined {
  const document = documentOf(model);
  return document === undefined || match(selector, document as Any) === 0 ? undefined : Promise.resolve(question(document)).catch(unlessCancelled);
}

/** The server gives up a question that a newer one or an edit has overtaken. */
function unlessCancelled(error: unknown): undefined {
  const { name } = (error ?? {}) as { name?: string };
  if (name !== 'Canceled' && name !== 'CancellationError') console.warn(error);
  return undefined;
}

const all = '*';
const nothing = { dispose: () => undefined };

export const registerHoverProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerHoverProvider(all, {
    provideHover: (model, position, token) =>
      ask(selector, model, async (document) => {
        const hover = await provider.provideHover(document, toPosition(position), token);
        return hover && { contents: hover.contents.map(fromMarkdown), ...(hover.range === undefined ? {} : { range: fromRange(hover.range) }) };
      }),
  }) as Disposable;

function location(found: Any): monaco.languages.LocationLink {
  const { targetUri = found.uri, targetRange = found.range, originSelectionRange, targetSelectionRange } = found;
  return {
    uri: targetUri,
    range: fromRange(targetRange),
    ...(originSelectionRange === undefined ? {} : { originSelectionRange: fromRange(originSelectionRange) }),
    ...(targetSelectionRange === undefined ? {} : { targetSelectionRange: fromRange(targetSelectionRange) }),
  };
}

const locations = async (answer: Any) => list(await answer).map(location);

export const registerDefinitionProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerDefinitionProvider(all, { provideDefinition: (model, at, token) => ask(selector, model, (document) => locations(provider.provideDefinition(document, toPosition(at), token))) }) as Disposable;

export const registerDeclarationProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerDeclarationProvider(all, { provideDeclaration: (model, at, token) => ask(selector, model, (document) => locations(provider.provideDeclaration(document, toPosition(at), token))) }) as Disposable;

export const registerReferenceProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerReferenceProvider(all, { provideReferences: (model, at, context, token) => ask(selector, model, (document) => locations(provider.provideReferences(document, toPosition(at), context, token))) }) as Disposable;

export const registerDocumentHighlightProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerDocumentHighlightProvider(all, {
    provideDocumentHighlights: (model, at, token) => ask(selector, model, async (document) => list(await provider.provideDocumentHighlights(document, toPosition(at), token)).map(({ range, kind }: Any) => ({ range: fromRange(range), kind }))),
  }) as Disposable;

export const registerDocumentSymbolProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerDocumentSymbolProvider(all, {
    provideDocumentSymbols: (model, token) => ask(selector, model, async (document) => list<DocumentSymbol | SymbolInformation>(await provider.provideDocumentSymbols(document, token)).map(symbol)),
  }) as Disposable;

function symbol(one: DocumentSymbol | SymbolInformation): monaco.languages.DocumentSymbol {
  if ('location' in one) {
    const range = fromRange(one.location.range);
    return { name: one.name, detail: '', kind: one.kind, tags: [], range, selectionRange: range };
  }
  return { name: one.name, detail: one.detail, kind: one.kind, tags: [], range: fromRange(one.range), selectionRange: fromRange(one.selectionRange), children: one.children.map(symbol) };
}

export const registerCodeLensProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable => {
  const changes = new monaco.Emitter<monaco.languages.CodeLensProvider>();
  const ours: monaco.languages.CodeLensProvider = {
    onDidChange: changes.event,
    provideCodeLenses: (model, token) =>
      ask(selector, model, async (document) => ({ lenses: list<Any>(await provider.provideCodeLenses(document, token)).map(({ range, command }) => ({ range: fromRange(range), command: fromCommand(command) })), ...nothing })),
  };
  const told = provider.onDidChangeCodeLenses?.(() => changes.fire(ours));
  const registered = api.registerCodeLensProvider(all, ours);
  return Disposed.from(registered, changes, ...list<Any>(told));
};

function fromCommand(command: vscode.Command): monaco.languages.Command;
function fromCommand(command: vscode.Command | undefined): monaco.languages.Command | undefined;
function fromCommand(command: vscode.Command | undefined): monaco.languages.Command | undefined {
  if (command === undefined) return undefined;
  const { command: id, title, tooltip, arguments: given } = command;
  return { id, title, ...(tooltip === undefined ? {} : { tooltip }), ...(given === undefined ? {} : { arguments: given }) };
}

export const registerInlayHintsProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerInlayHintsProvider(all, {
    onDidChangeInlayHints: provider.onDidChangeInlayHints,
    provideInlayHints: (model, range, token) => ask(selector, model, async (document) => ({ hints: list<Any>(await provider.provideInlayHints(document, toRange(range), token)).map((hint) => ({ ...hintOf(hint), of: hint })), ...nothing })),
    ...(provider.resolveInlayHint === undefined ? {} : { resolveInlayHint: async (hint: Any, token) => ({ ...hint, ...hintOf((await provider.resolveInlayHint(hint.of, token)) ?? hint.of) }) }),
  }) as Disposable;

function hintOf({ label, position, kind, tooltip, paddingLeft, paddingRight, textEdits }: Any): monaco.languages.InlayHint {
  const part = ({ value, tooltip: more, command, location: at }: Any) => ({ label: value, tooltip: fromText(more), command: fromCommand(command), ...(at === undefined ? {} : { location: location(at) }) });
  return { label: typeof label === 'string' ? label : label.map(part), position: fromPosition(position) as monaco.Position, kind, tooltip: fromText(tooltip), paddingLeft, paddingRight, textEdits: textEdits?.map(textEdit) } as Any;
}

const textEdit = ({ range, newText, newEol }: Any) => ({ range: fromRange(range), text: newText, ...(newEol === undefined ? {} : { eol: fromEndOfLine(newEol) }) });

export const registerDocumentLinkProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerLinkProvider(all, {
    provideLinks: (model, token) => ask(selector, model, async (document) => ({ links: list<Any>(await provider.provideDocumentLinks(document, token)).map(({ range, target, tooltip }) => ({ range: fromRange(range), url: target, tooltip })), ...nothing })),
  }) as Disposable;

export const registerDocumentFormattingEditProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerDocumentFormattingEditProvider(all, {
    provideDocumentFormattingEdits: (model, options, token) => ask(selector, model, async (document) => list<Any>(await provider.provideDocumentFormattingEdits(document, options, token)).map(textEdit)),
  }) as Disposable;

export const registerDocumentRangeFormattingEditProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerDocumentRangeFormattingEditProvider(all, {
    provideDocumentRangeFormattingEdits: (model, range, options, token) => ask(selector, model, async (document) => list<Any>(await provider.provideDocumentRangeFormattingEdits(document, toRange(range), options, token)).map(textEdit)),
  }) as Disposable;

export const registerOnTypeFormattingEditProvider = (selector: vscode.DocumentSelector, provider: Any, ...characters: (string | string[])[]): Disposable =>
  api.registerOnTypeFormattingEditProvider(all, {
    autoFormatTriggerCharacters: characters.flat(),
    provideOnTypeFormattingEdits: (model, at, character, options, token) => ask(selector, model, async (document) => list<Any>(await provider.provideOnTypeFormattingEdits(document, toPosition(at), character, options, token)).map(textEdit)),
  }) as Disposable;

export const registerFoldingRangeProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerFoldingRangeProvider(all, {
    provideFoldingRanges: (model, _context, token) =>
      ask(selector, model, async (document) => list<Any>(await provider.provideFoldingRanges(document, {}, token)).map(({ start, end, kind }) => ({ start: start + 1, end: end + 1, ...(kind === 1 ? { kind: api.FoldingRangeKind.Comment } : kind === 3 ? { kind: api.FoldingRangeKind.Region } : {}) }))),
  }) as Disposable;

export const registerSelectionRangeProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerSelectionRangeProvider(all, {
    provideSelectionRanges: (model, positions, token) =>
      ask(selector, model, async (document) =>
        list<SelectionRange>(await provider.provideSelectionRanges(document, positions.map(toPosition), token)).map((first) => {
          const ranges: monaco.languages.SelectionRange[] = [];
          for (let one: SelectionRange | undefined = first; one !== undefined; one = one.parent) ranges.push({ range: fromRange(one.range) });
          return ranges;
        }),
      ),
  }) as Disposable;

export const registerRenameProvider = (selector: vscode.DocumentSelector, provider: Any): Disposable =>
  api.registerRenameProvider(all, {
    provideRenameEdits: (model, at, name, token) =>
      refusable(selector, model, async (document) => {
        const edit: WorkspaceEdit | undefined = await provider.provideRenameEdits(document, toPosition(at), name, token);
        return edit === undefined ? { edits: [] } : workspaceEdit(edit);
      }),
    resolveRenameLocation: (model, at, token) =>
      refusable(selector, model, async (document) => {
        const found = await provider.prepareRename?.(document, toPosition(at), token);
        const range = found === undefined ? undefined : 'start' in found ? found : found.range;
        return range && { range: fromRange(range), text: found.placeholder ?? model.getValueInRange(fromRange(range)) };
      }),
  }) as Disposable;

/** Monaco shows the user why a rename is refused. */
function refusable(selector: vscode.DocumentSelector, model: Model, question: (document: Any) => Promise<Any>): Promise<Any> | undefined {
  return ask(selector, model, async (document) => {
    try {
      return await question(document);
    } catch (error) {
      return { edits: [], rejectReason: error instanceof Error ? error.message : String(error) };
    }
  });
}

/** Edits of texts, all of which are open then: Monaco changes no others. */
async function workspaceEdit(edit: WorkspaceEdit): Promise<monaco.languages.WorkspaceEdit> {
  await Promise.all(edit.entries().map(([resource]) => openTextDocument(resource)));
  return { edits: edit.entries().flatMap(([resource, edits]) => edits.map((one) => ({ resource, versionId: undefined, textEdit: textEdit(one) }))) };
}

export const registerSignatureHelpProvider = (selector: vscode.DocumentSelector, provider: Any, ...more: Any[]): Disposable => {
  const characters = more.flatMap((one) => (typeof one === 'string' ? [one] : one.triggerCharacters));
  return api.registerSignatureHelpProvider(all, {
    signatureHelpTriggerCharacters: characters,
    provideSignatureHelp: (model, at, token, { triggerKind, triggerCharacter, isRetrigger }) =>
      ask(selector, model, async (document) => {
        const help = await provider.provideSignatureHelp(document, toPosition(at), token, { triggerKind, triggerCharacter, isRetrigger });
        const documented = ({ documentation, ...one }: Any) => ({ ...one, documentation: fromText(documentation) });
        return help && { value: { activeSignature: help.activeSignature, activeParameter: help.activeParameter, signatures: help.signatures.map((one: Any) => ({ ...documented(one), parameters: one.parameters.map(documented) })) }, ...nothing };
      }),
  }) as Disposable;
};

const kindNames = Object.fromEntries(Object.entries(CompletionItemKind).map(([name, kind]) => [kind, name]));

export const registerCompletionItemProvider = (selector: vscode.DocumentSelector, provider: Any, ...characters: string[]): Disposable =>
  api.registerCompletionItemProvider(all, {
    triggerCharacters: characters,
    provideCompletionItems: (model, at, { triggerKind, triggerCharacter }, token) =>
      ask(selector, model, async (document) => {
        const found: CompletionList | CompletionItem[] | undefined = await provider.provideCompletionItems(document, toPosition(at), token, { triggerKind, triggerCharacter });
        const word = model.getWordUntilPosition(at);
        const here = { startLineNumber: at.lineNumber, endLineNumber: at.lineNumber, startColumn: word.startColumn, endColumn: word.endColumn };
        const items = found instanceof CompletionList ? found.items : list(found as Any);
        return { suggestions: items.map((item: Any) => ({ ...suggestion(item, here), of: item })), incomplete: found instanceof CompletionList && found.isIncomplete };
      }),
    ...(provider.resolveCompletionItem === undefined
      ? {}
      : {
          resolveCompletionItem: async (shown: Any, token) => {
            const { documentation, detail, additionalTextEdits } = (await provider.resolveCompletionItem(shown.of, token)) ?? shown.of;
            return { ...shown, documentation: fromText(documentation), detail, additionalTextEdits: additionalTextEdits?.map(textEdit) };
          },
        }),
  }) as Disposable;

function suggestion(item: Any, here: monaco.IRange): monaco.languages.CompletionItem {
  const { label, kind, insertText, range, textEdit: edit, documentation, command, additionalTextEdits, ...rest } = item;
  const text = edit?.newText ?? insertText ?? (typeof label === 'string' ? label : label.label);
  const at = edit?.range ?? range;
  const place = at === undefined ? here : 'inserting' in at ? { insert: fromRange(at.inserting), replace: fromRange(at.replacing) } : fromRange(at);
  const { sortText, filterText, preselect, commitCharacters, detail } = rest;
  const isSnippet = typeof text !== 'string';
  return {
    label,
    kind: (api.CompletionItemKind as Any)[kindNames[kind ?? 0] ?? 'Text'],
    insertText: isSnippet ? text.value : text,
    ...(isSnippet ? { insertTextRules: api.CompletionItemInsertTextRule.InsertAsSnippet } : {}),
    range: place,
    documentation: fromText(documentation) as Any,
    command: fromCommand(command) as Any,
    additionalTextEdits: additionalTextEdits?.map(textEdit),
    ...Object.fromEntries(Object.entries({ sortText, filterText, preselect, commitCharacters, detail }).filter(([, value]) => value !== undefined)),
  };
}

export const registerCodeActionsProvider = (selector: vscode.DocumentSelector, provider: Any, metadata?: Any): Disposable =>
  api.registerCodeActionProvider(
    all,
    {
      provideCodeActions: (model, range, { only, trigger }, token) =>
        ask(selector, model, async (document) => {
          const at = toRange(range);
          const diagnostics = getDiagnostics(model.uri).filter((one) => one.range.intersection(at) !== undefined);
          const context = { diagnostics, triggerKind: trigger, only: only === undefined ? undefined : new CodeActionKind(only) };
          const { version } = document;
          const found: (CodeAction | vscode.Command)[] = list(await provider.provideCodeActions(document, at, context, token));
          const offered = (one: CodeAction | vscode.Command) => {
            if (!(one instanceof CodeAction)) return { title: one.title, command: fromCommand(one) };
            const resolve = async () => (one.edit === undefined ? await provider.resolveCodeAction?.(one, new monaco.CancellationTokenSource().token) : undefined) ?? one;
            return { ...action(one), command: { id: editAndRun, title: one.title, arguments: [document, version, resolve] } };
          };
          return { actions: found.map(offered), ...nothing };
        }),
    },
    metadata?.providedCodeActionKinds === undefined ? undefined : { providedCodeActionKinds: metadata.providedCodeActionKinds.map(({ value }: CodeActionKind) => value) },
  ) as Disposable;

/** An action is a command: Monaco would make its edit in a text that has changed since, too, and leave line ends as they are. */
const editAndRun = 'page.editAndRun';
registerCommand(editAndRun, async (...given) => {
  const [document, version, resolve] = given as [Document, number, () => Promise<CodeAction>];
  const refuseChanged = (): void => {
    if (document.isClosed || document.version !== version) throw new Error('The text has changed since this was offered, so nothing was done. Ask for it again.');
  };
  refuseChanged();
  const { edit, command } = await resolve();
  if (edit !== undefined) {
    await Promise.all(edit.entries().map(([resource]) => openTextDocument(resource))); // so that the edit waits for no file
    refuseChanged();
    await applyEdit(edit);
  }
  if (command !== undefined) await executeCommand(command.command, ...(command.arguments ?? []));
});

function action({ title, kind, isPreferred, disabled, diagnostics }: CodeAction): monaco.languages.CodeAction {
  return {
    title,
    ...(kind === undefined ? {} : { kind: kind.value }),
    ...(isPreferred === undefined ? {} : { isPreferred }),
    ...(disabled === undefined ? {} : { disabled: disabled.reason }),
    ...(diagnostics === undefined ? {} : { diagnostics: diagnostics.map(marker) }),
  };
}

export const registerDocumentSemanticTokensProvider = (selector: vscode.DocumentSelector, provider: Any, legend: monaco.languages.SemanticTokensLegend): Disposable =>
  api.registerDocumentSemanticTokensProvider(all, {
    ...(provider.onDidChangeSemanticTokens === undefined ? {} : { onDidChange: provider.onDidChangeSemanticTokens }),
    getLegend: () => legend,
    releaseDocumentSemanticTokens: () => undefined,
    provideDocumentSemanticTokens: (model, last, token) =>
      ask(selector, model, async (document) => {
        const asksEdits = last !== null && provider.provideDocumentSemanticTokensEdits !== undefined;
        const found: SemanticTokens | SemanticTokensEdits | undefined = asksEdits ? await provider.provideDocumentSemanticTokensEdits(document, last, token) : await provider.provideDocumentSemanticTokens(document, token);
        return found instanceof SemanticTokensEdits ? { edits: found.edits, ...(found.resultId === undefined ? {} : { resultId: found.resultId }) } : (found as Any);
      }),
  }) as Disposable;

export const registerDocumentRangeSemanticTokensProvider = (selector: vscode.DocumentSelector, provider: Any, legend: monaco.languages.SemanticTokensLegend): Disposable =>
  api.registerDocumentRangeSemanticTokensProvider(all, {
    getLegend: () => legend,
    provideDocumentRangeSemanticTokens: (model, range, token) => ask(selector, model, (document) => provider.provideDocumentRangeSemanticTokens(document, toRange(range), token)),
  }) as Disposable;

/** The editor has no place for these. */
const absent = (): Disposable => new Disposed(() => undefined);
export { absent as registerCallHierarchyProvider, absent as registerTypeHierarchyProvider, absent as registerWorkspaceSymbolProvider, absent as registerImplementationProvider, absent as registerTypeDefinitionProvider, absent as registerColorProvider, absent as registerInlineValuesProvider, absent as registerInlineCompletionItemProvider, absent as registerLinkedEditingRangeProvider };

/** What the client says on its connection to a cluster, which no page has. */
export const createLanguageStatusItem = (): object => ({ dispose: () => undefined });

// Diagnostics.

const collections = new Set<Map<string, { uri: monaco.Uri; all: Diagnostic[] }>>();
const severities = [monaco.MarkerSeverity.Error, monaco.MarkerSeverity.Warning, monaco.MarkerSeverity.Info, monaco.MarkerSeverity.Hint];

export function createDiagnosticCollection(name = 'aiglens'): object {
  const known = new Map<string, { uri: monaco.Uri; all: Diagnostic[] }>();
  collections.add(known);
  const show = (uri: monaco.Uri, all: Diagnostic[]) => {
    const model = monaco.editor.getModel(uri);
    if (model !== null) monaco.editor.setModelMarkers(model, name, all.map(marker));
  };
  const set = (uri: monaco.Uri, some: readonly Diagnostic[] = []) => {
    known.set(uri.toString(), { uri, all: [...some] });
    show(uri, [...some]);
  };
  const opened = monaco.editor.onDidCreateModel(({ uri }) => show(uri, known.get(uri.toString())?.all ?? []));
  const clear = () => known.forEach(({ uri }) => set(uri));
  return {
    name,
    set,
    clear,
    delete: (uri: monaco.Uri) => set(uri),
    get: (uri: monaco.Uri) => known.get(uri.toString())?.all,
    has: (uri: monaco.Uri) => known.has(uri.toString()),
    forEach: (run: (uri: monaco.Uri, all: Diagnostic[]) => void) => known.forEach(({ uri, all: some }) => run(uri, some)),
    dispose: () => {
      clear();
      opened.dispose();
      collections.delete(known);
    },
  };
}

export function getDiagnostics(uri: monaco.Uri): Diagnostic[] {
  return [...collections].flatMap((known) => known.get(uri.toString())?.all ?? []);
}

function marker({ range, message, severity, source, code, tags, relatedInformation }: Diagnostic): monaco.editor.IMarkerData {
  const coded = typeof code === 'object' ? { value: `${code.value}`, target: code.target as Any } : code === undefined ? undefined : `${code}`;
  return {
    ...fromRange(range),
    message,
    severity: severities[severity] ?? monaco.MarkerSeverity.Info,
    ...(source === undefined ? {} : { source }),
    ...(coded === undefined ? {} : { code: coded }),
    ...(tags === undefined ? {} : { tags }),
    ...(relatedInformation === undefined ? {} : { relatedInformation: relatedInformation.map(({ location: { uri, range: at }, message: more }) => ({ resource: uri, message: more, ...fromRange(at) })) }),
  };
}
