// As much of the module vscode as the client needs outside of an editor. Tests
// fill in what they look at.
import { vi } from 'vitest';

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number) {
    this.start = new Position(startLine, startCharacter);
    this.end = new Position(endLine, endCharacter);
  }
}

export class Selection extends Range {}

export class Location {
  constructor(
    readonly uri: unknown,
    readonly range: Range,
  ) {}
}

export class Uri {
  private constructor(
    readonly scheme: string,
    readonly path: string,
    readonly query: string,
    private readonly text: string,
  ) {}
  static parse(text: string): Uri {
    const [, scheme = '', path = '', query = ''] = /^([^:]+):(?:\/\/[^/]*)?([^?]*)\??(.*)$/.exec(text) ?? [];
    // As VS Code writes it: a colon within a path is escaped.
    return new Uri(scheme, decodeURIComponent(path), decodeURIComponent(query), text.replace(/(?<=\/[a-z]):(?=\/)/, '%3A'));
  }
  static from({ scheme, path, query = '' }: { scheme: string; path: string; query?: string }): Uri {
    return new Uri(scheme, path, query, `${scheme}:${encodeURI(path)}?${encodeURIComponent(query)}`);
  }
  static joinPath(base: Uri, ...names: string[]): Uri {
    return Uri.parse(names.reduce((path, name) => (name === '..' ? path.replace(/\/[^/]*$/, '') : `${path}/${name}`), base.toString()));
  }
  static file(path: string): Uri {
    return Uri.parse(`file://${path}`);
  }
  get fsPath(): string {
    return this.path;
  }
  with(change: { scheme?: string; path: string; query?: string }): Uri {
    return Uri.from({ scheme: this.scheme, ...change });
  }
  toString(): string {
    return this.text;
  }
}

export class EventEmitter<T> {
  private listeners: ((value: T) => void)[] = [];
  readonly event = (listener: (value: T) => void) => {
    this.listeners.push(listener);
    return new Disposable(() => (this.listeners = this.listeners.filter((one) => one !== listener)));
  };
  fire(value: T): void {
    for (const listener of [...this.listeners]) listener(value);
  }
  dispose(): void {
    this.listeners = [];
  }
}

export class Disposable {
  constructor(readonly dispose: () => void) {}
  static from(...all: { dispose(): void }[]): Disposable {
    return new Disposable(() => all.forEach((one) => void one.dispose()));
  }
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export class ThemeIcon {
  constructor(readonly id: string) {}
}

export class MarkdownString {
  constructor(public value = '') {}
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
  appendText(text: string): this {
    this.value += text;
    return this;
  }
}

export class TreeItem {
  description?: string;
  tooltip?: unknown;
  iconPath?: unknown;
  command?: unknown;
  constructor(
    readonly label: string,
    readonly collapsibleState: number,
  ) {}
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };

export class DebugAdapterExecutable {
  constructor(
    readonly command: string,
    readonly args: string[],
  ) {}
}

export class TestMessage {
  location?: Location;
  constructor(readonly message: string) {}
}

export class TestRunRequest {
  constructor(
    readonly include?: readonly unknown[],
    readonly exclude?: readonly unknown[],
  ) {}
}

export class RelativePattern {
  constructor(
    readonly base: Uri,
    readonly pattern: string,
  ) {}
}

export class FileSystemError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

export class CodeLens {
  constructor(
    readonly range: Range,
    readonly command?: unknown,
  ) {}
}

export class Hover {
  constructor(readonly contents: unknown) {}
}

export class CancellationTokenSource {
  private readonly cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.cancelled.event };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.cancelled.fire();
  }
  dispose(): void {
    this.cancelled.dispose();
  }
}

export class TabInputTextDiff {
  constructor(
    readonly original: Uri,
    readonly modified: Uri,
  ) {}
}

export const TextDocumentSaveReason = { Manual: 1, AfterDelay: 2, FocusOut: 3 };
export const ProgressLocation = { Notification: 15 };
export const ViewColumn = { Active: -1, Beside: -2, One: 1 };
export const TextEditorRevealType = { InCenterIfOutsideViewport: 2, AtTop: 3 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const OverviewRulerLane = { Left: 1 };
export const ColorThemeKind = { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const TestRunProfileKind = { Run: 1 };
export const CodeActionTriggerKind = { Invoke: 1, Automatic: 2 };

export const EndOfLine = { LF: 1, CRLF: 2 };

export class TextEdit {
  newEol?: number;
  constructor(readonly range: Range, readonly newText: string) {}
  static setEndOfLine(eol: number): TextEdit {
    return Object.assign(new TextEdit(new Range(0, 0, 0, 0), ''), { newEol: eol });
  }
}

export class CodeAction {
  edit?: unknown;
  command?: unknown;
  constructor(readonly title: string) {}
}

/** The events of the editor; tests fire them. */
export const events = {
  selection: new EventEmitter<unknown>(),
  activeEditor: new EventEmitter<unknown>(),
  visibleEditors: new EventEmitter<unknown>(),
  theme: new EventEmitter<unknown>(),
  text: new EventEmitter<unknown>(),
  close: new EventEmitter<unknown>(),
  willSave: new EventEmitter<unknown>(),
  configuration: new EventEmitter<unknown>(),
  folders: new EventEmitter<unknown>(),
  trust: new EventEmitter<void>(),
  open: new EventEmitter<unknown>(),
  save: new EventEmitter<unknown>(),
  window: new EventEmitter<unknown>(),
  tabs: new EventEmitter<unknown>(),
};

/** What tells of files; tests fire their events. */
export interface FileWatcher {
  glob: unknown;
  changed: EventEmitter<Uri>;
}
export const fileWatchers: FileWatcher[] = [];

export const window = {
  activeTextEditor: undefined as unknown,
  visibleTextEditors: [] as unknown[],
  activeColorTheme: { kind: ColorThemeKind.Dark },
  createQuickPick: vi.fn(),
  createStatusBarItem: vi.fn(),
  createTextEditorDecorationType: vi.fn(),
  createWebviewPanel: vi.fn(),
  withProgress: vi.fn(),
  registerWebviewViewProvider: vi.fn(() => new Disposable(() => {})),
  registerWebviewPanelSerializer: vi.fn(() => new Disposable(() => {})),
  tabGroups: { all: [{}], onDidChangeTabs: events.tabs.event },
  setStatusBarMessage: vi.fn(),
  showOpenDialog: vi.fn(),
  showSaveDialog: vi.fn(),
  showQuickPick: vi.fn(),
  showInputBox: vi.fn(),
  showInformationMessage: vi.fn(async () => undefined),
  showWarningMessage: vi.fn(async () => undefined),
  showErrorMessage: vi.fn(async () => undefined),
  showTextDocument: vi.fn(),
  onDidChangeTextEditorSelection: events.selection.event,
  onDidChangeActiveTextEditor: events.activeEditor.event,
  onDidChangeVisibleTextEditors: events.visibleEditors.event,
  onDidChangeActiveColorTheme: events.theme.event,
  onDidChangeWindowState: events.window.event,
};

export const languages = {
  getDiagnostics: vi.fn((_uri?: unknown): { code?: unknown }[] => []),
  registerDocumentLinkProvider: vi.fn(() => new Disposable(() => {})),
  createLanguageStatusItem: vi.fn(),
  registerCodeLensProvider: vi.fn(() => new Disposable(() => {})),
  registerHoverProvider: vi.fn(() => new Disposable(() => {})),
};

/** What the settings say below aiglens. */
export const configured = new Map<string, unknown>();

/** Says that a setting has another value, as VS Code does. */
export function configure(name: string, value: unknown): void {
  configured.set(name, value);
  events.configuration.fire({ affectsConfiguration: (section: string) => `aiglens.${name}`.startsWith(section) });
}

export interface Folder {
  uri: Uri;
  name: string;
}

export const workspace = {
  isTrusted: true,
  fs: {
    writeFile: vi.fn(async () => undefined),
    readFile: vi.fn(async (_: unknown): Promise<Uint8Array> => new Uint8Array()),
    stat: vi.fn(async (_: unknown): Promise<object> => ({})),
    readDirectory: vi.fn(async (_: unknown): Promise<[string, number][]> => []),
  },
  onDidGrantWorkspaceTrust: events.trust.event,
  workspaceFolders: undefined as Folder[] | undefined,
  textDocuments: [] as unknown[],
  openTextDocument: vi.fn(async (uri: unknown) => ({ uri })),
  findFiles: vi.fn(async (_glob: string): Promise<Uri[]> => []),
  getWorkspaceFolder: (uri: Uri) => workspace.workspaceFolders?.find((folder) => uri.scheme === folder.uri.scheme && uri.path.startsWith(folder.uri.path)),
  asRelativePath: (uri: Uri) => uri.path.slice(uri.path.lastIndexOf('/') + 1),
  registerTextDocumentContentProvider: vi.fn(() => new Disposable(() => {})),
  getConfiguration: () => ({
    ...Object.fromEntries(configured),
    get: (name: string, otherwise: unknown) => configured.get(name) ?? otherwise,
  }),
  onDidChangeTextDocument: events.text.event,
  onDidOpenTextDocument: events.open.event,
  onDidSaveTextDocument: events.save.event,
  onDidCloseTextDocument: events.close.event,
  createFileSystemWatcher: (glob: unknown) => {
    const watcher = { glob, changed: new EventEmitter<Uri>() };
    fileWatchers.push(watcher);
    const none = new EventEmitter<Uri>();
    return { onDidChange: watcher.changed.event, onDidCreate: none.event, onDidDelete: none.event, dispose: () => void fileWatchers.splice(fileWatchers.indexOf(watcher), 1) };
  },
  onWillSaveTextDocument: events.willSave.event,
  onDidChangeConfiguration: events.configuration.event,
  onDidChangeWorkspaceFolders: events.folders.event,
};

export const LanguageStatusSeverity = { Information: 0, Warning: 1, Error: 2 };

export const commands = { registerCommand: vi.fn(), executeCommand: vi.fn(), getCommands: vi.fn(async () => []) };

export const debug = {
  registerDebugAdapterDescriptorFactory: vi.fn(() => new Disposable(() => {})),
  registerDebugAdapterTrackerFactory: vi.fn(() => new Disposable(() => {})),
  registerDebugConfigurationProvider: vi.fn(() => new Disposable(() => {})),
  startDebugging: vi.fn(async () => true),
  onDidStartDebugSession: vi.fn((_listener: (session: { type: string }) => Promise<void>) => new Disposable(() => {})),
};

export class McpStdioServerDefinition {
  constructor(
    readonly label: string,
    readonly command: string,
    readonly args: string[],
    readonly env: Record<string, string>,
    readonly version?: string,
  ) {}
}

export interface McpProvider {
  onDidChangeMcpServerDefinitions: (listener: () => void) => Disposable;
  provideMcpServerDefinitions(): Promise<object[]>;
}

/** As in a VS Code that knows no servers for agents; tests fill it in. */
export const lm = { registerMcpServerDefinitionProvider: undefined as ((id: string, provider: McpProvider) => { dispose(): void }) | undefined };

export const env = { clipboard: { writeText: vi.fn() } };

export const extensions = { getExtension: vi.fn() };

export const tests = { createTestController: vi.fn() };
