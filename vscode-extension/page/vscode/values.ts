// The plain values of VS Code's API, as far as the extension and its language client make or read any. They hold
// data and use no editor.
import type * as vscode from 'vscode';
import { Uri } from 'monaco-editor/editor/editor.api.js';

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
  compareTo(other: Position): number {
    return this.line - other.line || this.character - other.character;
  }
  isBefore(other: Position): boolean {
    return this.compareTo(other) < 0;
  }
  isBeforeOrEqual(other: Position): boolean {
    return this.compareTo(other) <= 0;
  }
  isAfter(other: Position): boolean {
    return this.compareTo(other) > 0;
  }
  isAfterOrEqual(other: Position): boolean {
    return this.compareTo(other) >= 0;
  }
  isEqual(other: Position): boolean {
    return this.compareTo(other) === 0;
  }
  with(line = this.line, character = this.character): Position {
    return new Position(line, character);
  }
  translate(lines = 0, characters = 0): Position {
    return new Position(this.line + lines, this.character + characters);
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(start: Position, end: Position);
  constructor(startLine: number, startCharacter: number, endLine: number, endCharacter: number);
  constructor(a: Position | number, b: Position | number, line?: number, character?: number) {
    const [start, end] = typeof a === 'number' ? [new Position(a, b as number), new Position(line!, character!)] : [a, b as Position];
    [this.start, this.end] = start.isAfter(end) ? [end, start] : [start, end];
  }
  get isEmpty(): boolean {
    return this.start.isEqual(this.end);
  }
  get isSingleLine(): boolean {
    return this.start.line === this.end.line;
  }
  contains(what: Position | Range): boolean {
    const [start, end] = what instanceof Range ? [what.start, what.end] : [what, what];
    return !start.isBefore(this.start) && !end.isAfter(this.end);
  }
  isEqual(other: Range): boolean {
    return this.start.isEqual(other.start) && this.end.isEqual(other.end);
  }
  intersection(other: Range): Range | undefined {
    const start = this.start.isAfter(other.start) ? this.start : other.start;
    const end = this.end.isBefore(other.end) ? this.end : other.end;
    return start.isAfter(end) ? undefined : new Range(start, end);
  }
  with(start = this.start, end = this.end): Range {
    return new Range(start, end);
  }
}

export class Selection extends Range {
  readonly anchor: Position;
  readonly active: Position;
  constructor(anchor: Position, active: Position);
  constructor(anchorLine: number, anchorCharacter: number, activeLine: number, activeCharacter: number);
  constructor(a: Position | number, b: Position | number, line?: number, character?: number) {
    const [anchor, active] = typeof a === 'number' ? [new Position(a, b as number), new Position(line!, character!)] : [a, b as Position];
    super(anchor, active);
    this.anchor = anchor;
    this.active = active;
  }
  get isReversed(): boolean {
    return this.active.isBefore(this.anchor);
  }
}

export class Location {
  readonly range: Range;
  constructor(
    readonly uri: Uri,
    range: Range | Position,
  ) {
    this.range = range instanceof Range ? range : new Range(range, range);
  }
}

export class Disposable {
  constructor(private readonly run: () => unknown) {}
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => all.forEach((one) => void one.dispose()));
  }
  dispose(): void {
    this.run();
  }
}

export class ThemeColor {
  constructor(readonly id: string) {}
}

export class ThemeIcon {
  constructor(readonly id: string) {}
}

export class MarkdownString {
  isTrusted: vscode.MarkdownString['isTrusted'];
  supportHtml = false;
  baseUri: Uri | undefined;
  constructor(
    public value = '',
    public supportThemeIcons = false,
  ) {}
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
  appendText(text: string): this {
    return this.appendMarkdown(text.replace(/[\\`*_{}[\]()#+\-!~<>]/g, '\\$&').replaceAll('\n', '\n\n'));
  }
  appendCodeblock(text: string, language = ''): this {
    return this.appendMarkdown(`\n\`\`\`${language}\n${text}\n\`\`\`\n`);
  }
}

export class SnippetString {
  constructor(public value = '') {}
}

export class TextEdit {
  newEol?: number;
  constructor(
    public range: Range,
    public newText: string,
  ) {}
  static replace(range: Range, text: string): TextEdit {
    return new TextEdit(range, text);
  }
  static insert(at: Position, text: string): TextEdit {
    return new TextEdit(new Range(at, at), text);
  }
  static delete(range: Range): TextEdit {
    return new TextEdit(range, '');
  }
  static setEndOfLine(eol: number): TextEdit {
    const edit = new TextEdit(new Range(0, 0, 0, 0), '');
    edit.newEol = eol;
    return edit;
  }
}

export class SnippetTextEdit {
  constructor(
    public range: Range,
    public snippet: SnippetString,
  ) {}
}

export class WorkspaceEdit {
  private readonly edits = new Map<string, { uri: Uri; edits: TextEdit[] }>();
  set(uri: Uri, edits: readonly (TextEdit | [TextEdit, unknown])[]): void {
    this.edits.set(uri.toString(), { uri, edits: edits.map((one) => (Array.isArray(one) ? one[0] : one)) });
  }
  get(uri: Uri): TextEdit[] {
    return this.edits.get(uri.toString())?.edits ?? [];
  }
  replace(uri: Uri, range: Range, text: string): void {
    this.set(uri, [...this.get(uri), new TextEdit(range, text)]);
  }
  insert(uri: Uri, at: Position, text: string): void {
    this.replace(uri, new Range(at, at), text);
  }
  delete(uri: Uri, range: Range): void {
    this.replace(uri, range, '');
  }
  entries(): [Uri, TextEdit[]][] {
    return [...this.edits.values()].map(({ uri, edits }) => [uri, edits]);
  }
  get size(): number {
    return this.edits.size;
  }
}

export class Diagnostic {
  source?: string;
  code?: vscode.Diagnostic['code'];
  relatedInformation?: DiagnosticRelatedInformation[];
  tags?: number[];
  constructor(
    public range: Range,
    public message: string,
    public severity: number = DiagnosticSeverity.Error,
  ) {}
}

export class DiagnosticRelatedInformation {
  constructor(
    public location: Location,
    public message: string,
  ) {}
}

export class CodeLens {
  constructor(
    public range: Range,
    public command?: vscode.Command,
  ) {}
  get isResolved(): boolean {
    return this.command !== undefined;
  }
}

export class CodeActionKind {
  constructor(readonly value: string) {}
  static readonly Empty = new CodeActionKind('');
  static readonly QuickFix = new CodeActionKind('quickfix');
  static readonly Refactor = new CodeActionKind('refactor');
  static readonly RefactorExtract = new CodeActionKind('refactor.extract');
  static readonly RefactorInline = new CodeActionKind('refactor.inline');
  static readonly RefactorMove = new CodeActionKind('refactor.move');
  static readonly RefactorRewrite = new CodeActionKind('refactor.rewrite');
  static readonly Source = new CodeActionKind('source');
  static readonly SourceOrganizeImports = new CodeActionKind('source.organizeImports');
  static readonly SourceFixAll = new CodeActionKind('source.fixAll');
  static readonly Notebook = new CodeActionKind('notebook');
  append(parts: string): CodeActionKind {
    return new CodeActionKind(this.value === '' ? parts : `${this.value}.${parts}`);
  }
}

export class CodeAction {
  edit?: WorkspaceEdit;
  diagnostics?: Diagnostic[];
  command?: vscode.Command;
  isPreferred?: boolean;
  disabled?: { reason: string };
  constructor(
    public title: string,
    public kind?: CodeActionKind,
  ) {}
}

export class Hover {
  readonly contents: MarkdownString[];
  constructor(
    contents: MarkdownString | MarkdownString[],
    public range?: Range,
  ) {
    this.contents = Array.isArray(contents) ? contents : [contents];
  }
}

export class CompletionItem {
  [more: string]: unknown;
  constructor(
    public label: string | { label: string; detail?: string; description?: string },
    public kind?: number,
  ) {}
}

export class CompletionList {
  constructor(
    public items: CompletionItem[] = [],
    public isIncomplete = false,
  ) {}
}

export class InlayHintLabelPart {
  tooltip?: string | MarkdownString;
  location?: Location;
  command?: vscode.Command;
  constructor(public value: string) {}
}

export class InlayHint {
  tooltip?: string | MarkdownString;
  textEdits?: TextEdit[];
  paddingLeft?: boolean;
  paddingRight?: boolean;
  constructor(
    public position: Position,
    public label: string | InlayHintLabelPart[],
    public kind?: number,
  ) {}
}

export class SymbolInformation {
  constructor(
    public name: string,
    public kind: number,
    public containerName: string,
    public location: Location,
  ) {}
}

export class DocumentSymbol {
  children: DocumentSymbol[] = [];
  tags?: number[];
  constructor(
    public name: string,
    public detail: string,
    public kind: number,
    public range: Range,
    public selectionRange: Range,
  ) {}
}

export class DocumentHighlight {
  constructor(
    public range: Range,
    public kind?: number,
  ) {}
}

export class DocumentLink {
  tooltip?: string;
  constructor(
    public range: Range,
    public target?: Uri,
  ) {}
}

export class FoldingRange {
  constructor(
    public start: number,
    public end: number,
    public kind?: number,
  ) {}
}

export class SelectionRange {
  constructor(
    public range: Range,
    public parent?: SelectionRange,
  ) {}
}

export class SemanticTokens {
  constructor(
    readonly data: Uint32Array,
    readonly resultId?: string,
  ) {}
}

export class SemanticTokensEdit {
  constructor(
    readonly start: number,
    readonly deleteCount: number,
    readonly data?: Uint32Array,
  ) {}
}

export class SemanticTokensEdits {
  constructor(
    readonly edits: SemanticTokensEdit[],
    readonly resultId?: string,
  ) {}
}

export class SemanticTokensLegend {
  constructor(
    readonly tokenTypes: string[],
    readonly tokenModifiers: string[] = [],
  ) {}
}

export class SignatureHelp {
  signatures: SignatureInformation[] = [];
  activeSignature = 0;
  activeParameter = 0;
}

export class SignatureInformation {
  parameters: ParameterInformation[] = [];
  constructor(
    public label: string,
    public documentation?: string | MarkdownString,
  ) {}
}

export class ParameterInformation {
  constructor(
    public label: string | [number, number],
    public documentation?: string | MarkdownString,
  ) {}
}

export class RelativePattern {
  readonly baseUri: Uri;
  constructor(
    base: { uri: Uri } | Uri | string,
    readonly pattern: string,
  ) {
    this.baseUri = typeof base === 'string' ? Uri.file(base) : 'uri' in base ? base.uri : base;
  }
}

export class FileSystemError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
  static FileNotFound(uri: Uri): FileSystemError {
    return new FileSystemError(`there is no file ${uri.path.slice(1)}`, 'FileNotFound');
  }
}

/** What the language client extends or asks after, and no part of the page makes. */
class Absent {}
export { Absent as CallHierarchyItem, Absent as TypeHierarchyItem, Absent as NotebookCellData, Absent as TabInputText, Absent as TabInputTextDiff, Absent as TabInputCustom, Absent as TabInputNotebook, Absent as DebugAdapterExecutable, Absent as DebugAdapterInlineImplementation, Absent as McpStdioServerDefinition, Absent as TestMessage, Absent as TestRunRequest };

export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };
export const DiagnosticTag = { Unnecessary: 1, Deprecated: 2 };
export const CompletionItemKind = numbered('Text Method Function Constructor Field Variable Class Interface Module Property Unit Value Enum Keyword Snippet Color File Reference Folder EnumMember Constant Struct Event Operator TypeParameter User Issue');
export const CompletionItemTag = { Deprecated: 1 };
export const CompletionTriggerKind = { Invoke: 0, TriggerCharacter: 1, TriggerForIncompleteCompletions: 2 };
export const SymbolKind = numbered('File Module Namespace Package Class Method Property Field Constructor Enum Interface Function Variable Constant String Number Boolean Array Object Key Null EnumMember Struct Event Operator TypeParameter');
export const SymbolTag = { Deprecated: 1 };
export const DocumentHighlightKind = { Text: 0, Read: 1, Write: 2 };
export const FoldingRangeKind = { Comment: 1, Imports: 2, Region: 3 };
export const CodeActionTriggerKind = { Invoke: 1, Automatic: 2 };
export const SignatureHelpTriggerKind = { Invoke: 1, TriggerCharacter: 2, ContentChange: 3 };
export const InlineCompletionTriggerKind = { Invoke: 0, Automatic: 1 };
export const InlayHintKind = { Type: 1, Parameter: 2 };
export const NotebookCellKind = { Markup: 1, Code: 2 };
export const TextDocumentSaveReason = { Manual: 1, AfterDelay: 2, FocusOut: 3 };
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const EndOfLine = { LF: 1, CRLF: 2 };
export const ViewColumn = { Active: -1, Beside: -2, One: 1, Two: 2, Three: 3 };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const OverviewRulerLane = { Left: 1, Center: 2, Right: 4, Full: 7 };
export const TextEditorRevealType = { Default: 0, InCenter: 1, InCenterIfOutsideViewport: 2, AtTop: 3 };
export const ColorThemeKind = { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const LanguageStatusSeverity = { Information: 0, Warning: 1, Error: 2 };
export const LogLevel = { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 };
export const TestRunProfileKind = { Run: 1, Debug: 2, Coverage: 3 };

function numbered(names: string): Record<string, number> {
  return Object.fromEntries(names.split(' ').map((name, index) => [name, index]));
}
