/// <reference lib="dom" />
// The module `vscode` of the page: as much of VS Code's API over Monaco as the extension and its language client use,
// so that what people see here is made by the same code as in VS Code.
import * as monaco from 'monaco-editor/editor/editor.api.js';
import type { Files } from '../files';
import { isLike } from '../patterns';
import { close, documents, onDidChangeTextDocument, onDidCloseTextDocument, onDidOpenTextDocument, onDidSaveTextDocument, onWillSaveTextDocument, openTextDocument, registerTextDocumentContentProvider, storeIn, type Document, applyEdit } from './documents';
import * as commandsOf from './commands';
import { getConfiguration, onDidChangeConfiguration } from './contributed';
import { activeTextEditor, createTextEditorDecorationType, type EditorPlace, onDidChangeActiveTextEditor, onDidChangeTextEditorSelection, onDidChangeTextEditorVisibleRanges, onDidChangeVisibleTextEditors, type TextEditor, visibleTextEditors } from './editors';
import * as languagesOf from './languages';
import { activeColorTheme, onDidChangeActiveColorTheme } from './theme';
import { Disposable, FileSystemError, FileType, type Range, type Selection, ViewColumn } from './values';
import { createWebviewPanel, registerCustomEditorProvider, registerWebviewPanelSerializer, registerWebviewViewProvider } from './webviews';
import * as dialogs from './window';

export * from './values';
export { Uri, CancellationTokenSource, Emitter as EventEmitter } from 'monaco-editor/editor/editor.api.js';
export { CancellationError } from 'monaco-editor/base/common/errors.js';
export const version = '1.91.0';

/** What the page gives to its extension. */
export interface Parts {
  files: Files;
  /** A file of the extension itself, by its name. */
  own(name: string): Promise<Uint8Array>;
  text: EditorPlace;
  /** For texts about others. */
  aside(document: Document): TextEditor;
  /** Shows a file in the place of texts. */
  openFile(document: Document): TextEditor;
}

let parts: Parts;
export function provide(given: Parts): void {
  parts = given;
  storeIn(given.files);
}

const never = (): Disposable => new Disposable(() => undefined);

export const commands = { registerCommand: commandsOf.registerCommand, executeCommand: commandsOf.executeCommand, getCommands: commandsOf.getCommands };

export const languages = languagesOf;

export const env = { language: 'en', appName: 'aiglens in the browser', openExternal: async () => false, clipboard: { writeText: (text: string) => navigator.clipboard.writeText(text), readText: () => navigator.clipboard.readText() } };

export const extensions = { getExtension: () => undefined };

export const debug = { registerDebugAdapterTrackerFactory: never, registerDebugAdapterDescriptorFactory: never, registerDebugConfigurationProvider: never, onDidStartDebugSession: never, startDebugging: async () => (void dialogs.showInformationMessage('The debugger needs VS Code. The trace panel walks through the same steps.'), false) };

export const tests = {};
export const lm = {};

const groups = [{ tabs: [] }, { tabs: [] }];

export const window = {
  ...dialogs,
  get activeTextEditor() {
    return activeTextEditor();
  },
  get visibleTextEditors() {
    return visibleTextEditors();
  },
  get activeColorTheme() {
    return activeColorTheme();
  },
  tabGroups: { all: groups, onDidChangeTabs: never, onDidChangeTabGroups: never },
  state: { focused: true },
  onDidChangeWindowState: never,
  onDidChangeActiveTextEditor,
  onDidChangeVisibleTextEditors,
  onDidChangeTextEditorSelection,
  onDidChangeTextEditorVisibleRanges,
  onDidChangeActiveColorTheme,
  createTextEditorDecorationType,
  createWebviewPanel,
  registerWebviewViewProvider,
  registerWebviewPanelSerializer,
  registerCustomEditorProvider,
  showTextDocument,
};

async function showTextDocument(what: Document | monaco.Uri, options: number | { viewColumn?: number; preserveFocus?: boolean; selection?: Range } = {}): Promise<TextEditor> {
  const document = 'model' in what ? what : await openTextDocument(what);
  const { preserveFocus = false, selection } = typeof options === 'number' ? {} : options;
  const isFile = document.uri.scheme === 'file' || document.uri.scheme === 'aiglens-aig';
  const editor = isFile ? parts.openFile(document) : parts.aside(document);
  if (selection !== undefined) {
    const { start, end } = selection;
    editor.selection = 'anchor' in selection ? (selection as Selection) : ({ anchor: start, active: end } as Selection);
    editor.revealRange(selection, 2);
  }
  if (!preserveFocus) editor.widget.focus();
  return editor;
}

async function read(uri: monaco.Uri): Promise<Uint8Array> {
  if (!parts.files.has(uri.path)) throw FileSystemError.FileNotFound(uri);
  return parts.files.read(uri.path);
}

const fs = {
  readFile: async (uri: monaco.Uri) => (uri.scheme === 'bundle' ? parts.own(uri.path.slice(uri.path.lastIndexOf('/') + 1)) : read(uri)),
  writeFile: async (uri: monaco.Uri, bytes: Uint8Array) => (dialogs.isDownload(uri) ? dialogs.download(uri.path, bytes) : parts.files.write(uri.path, bytes)),
  stat: async (uri: monaco.Uri) => {
    const time = parts.files.time(uri.path);
    const [type, size] = uri.path === '/' || uri.path === '' ? [FileType.Directory, 0] : [FileType.File, (await read(uri)).length];
    return { type, size, ctime: time, mtime: time };
  },
  readDirectory: async () => parts.files.paths.map((path) => [path.slice(1), FileType.File] as [string, number]),
  isWritableFileSystem: () => true,
};

function createFileSystemWatcher(pattern: string | { pattern: string }, ignoresCreated = false, ignoresChanged = false, ignoresRemoved = false): object {
  const [created, changed, removed] = [new monaco.Emitter<monaco.Uri>(), new monaco.Emitter<monaco.Uri>(), new monaco.Emitter<monaco.Uri>()];
  const listener = parts.files.onDidChange(({ path, kind }) => {
    if (!isLike(pattern, path)) return;
    const uri = monaco.Uri.from({ scheme: 'file', path });
    if (kind === 'created' && !ignoresCreated) created.fire(uri);
    if (kind === 'changed' && !ignoresChanged) changed.fire(uri);
    if (kind === 'removed' && !ignoresRemoved) removed.fire(uri);
  });
  return { onDidCreate: created.event, onDidChange: changed.event, onDidDelete: removed.event, dispose: () => listener.dispose() };
}

async function findFiles(pattern: string | { pattern: string }, _without?: unknown, most = Infinity): Promise<monaco.Uri[]> {
  return parts.files.paths.filter((path) => isLike(pattern, path)).slice(0, most).map((path) => monaco.Uri.from({ scheme: 'file', path }));
}

export const workspace = {
  isTrusted: true,
  name: undefined,
  workspaceFolders: undefined,
  notebookDocuments: [],
  get textDocuments() {
    return documents();
  },
  fs,
  findFiles,
  applyEdit,
  openTextDocument,
  getConfiguration,
  getWorkspaceFolder: () => undefined,
  asRelativePath: (what: monaco.Uri | string) => (typeof what === 'string' ? what : what.path).replace(/^\//, ''),
  createFileSystemWatcher,
  registerTextDocumentContentProvider,
  onDidOpenTextDocument,
  onDidCloseTextDocument,
  onDidChangeTextDocument,
  onWillSaveTextDocument,
  onDidSaveTextDocument,
  onDidChangeConfiguration,
  onDidChangeWorkspaceFolders: never,
  onDidGrantWorkspaceTrust: never,
  onDidCreateFiles: never,
  onDidRenameFiles: never,
  onDidDeleteFiles: never,
  onWillCreateFiles: never,
  onWillRenameFiles: never,
  onWillDeleteFiles: never,
  onDidOpenNotebookDocument: never,
  onDidCloseNotebookDocument: never,
};

export { close, ViewColumn };
