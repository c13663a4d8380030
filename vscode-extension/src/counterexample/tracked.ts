// Places in texts that are edited: what stands before an edit stays, what
// stands after it moves along, and what was deleted is gone.
import type { Location, Position, Range } from 'vscode-languageclient';

/** An edit as VS Code tells it: a range and what took its place. */
export interface Edit {
  range: Range;
  text: string;
}

/** Where a position is after an edit; undefined when it was inside of what is gone. */
export function movePosition(at: Position, { range: { start, end }, text }: Edit): Position | undefined {
  if (isBefore(at, start)) return at;
  if (isBefore(at, end)) return at.line === start.line && at.character === start.character ? at : undefined;
  const lines = text.split('\n');
  const lastLength = lines.at(-1)!.length;
  const line = start.line + lines.length - 1 + at.line - end.line;
  if (at.line > end.line) return { line, character: at.character };
  return { line, character: at.character - end.character + lastLength + (lines.length === 1 ? start.character : 0) };
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

/** Where a range is after edits; undefined when its beginning is gone, or all of it. */
export function moveRange(range: Range, edits: readonly Edit[]): Range | undefined {
  let { start, end } = range;
  for (const edit of edits) {
    const moved = movePosition(start, edit);
    const deleted = edit.text.trim() === '' && isBefore(start, end) && !isBefore(start, edit.range.start) && !isBefore(edit.range.end, end);
    if (moved === undefined || deleted) return undefined;
    start = moved;
    end = movePosition(end, edit) ?? start;
  }
  return { start, end };
}

/** A location as it stands in the text that is open now. */
export function moveLocation(location: Location | null, uri: string, edits: readonly Edit[]): Location | null {
  if (location === null || location.uri !== uri) return location;
  const range = moveRange(location.range, edits);
  return range === undefined ? null : { uri, range };
}
