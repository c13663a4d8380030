// Places in the words of VS Code, from 0, and of Monaco, from 1.
import type { IMarkdownString, IPosition, IRange } from 'monaco-editor/editor/editor.api.js';
import { EndOfLine, MarkdownString, Position, Range } from './values';

export function fromPosition({ line, character }: { line: number; character: number }): IPosition {
  return { lineNumber: line + 1, column: character + 1 };
}

export function fromRange({ start, end }: { start: { line: number; character: number }; end: { line: number; character: number } }): IRange {
  return { startLineNumber: start.line + 1, startColumn: start.character + 1, endLineNumber: end.line + 1, endColumn: end.character + 1 };
}

export function toPosition({ lineNumber, column }: IPosition): Position {
  return new Position(lineNumber - 1, column - 1);
}

export function toRange({ startLineNumber, startColumn, endLineNumber, endColumn }: IRange): Range {
  return new Range(startLineNumber - 1, startColumn - 1, endLineNumber - 1, endColumn - 1);
}

/** Monaco's EndOfLineSequence. */
export const fromEndOfLine = (eol: number): 0 | 1 => (eol === EndOfLine.LF ? 0 : 1);

export function fromMarkdown(text: string | MarkdownString): IMarkdownString {
  if (typeof text === 'string') return { value: text };
  const { value, isTrusted, supportHtml, supportThemeIcons } = text;
  return { value, supportHtml, supportThemeIcons, ...(isTrusted === undefined ? {} : { isTrusted }) };
}

/** A tooltip or documentation, which may be plain text. */
export function fromText(text: string | MarkdownString | undefined): string | IMarkdownString | undefined {
  return text === undefined || typeof text === 'string' ? text : fromMarkdown(text);
}
