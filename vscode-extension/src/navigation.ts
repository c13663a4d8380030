// From one refuted property to the next: in the file of the cursor first, then
// through the other files that are known, and around.
import { type TextEditor, window } from 'vscode';
import { fileName, reveal } from './places';
import type { PropertyStatus } from './protocol';
import type { FileStatus, StatusModel } from './status';
import { tell } from './telling';

interface Place {
  file: FileStatus;
  status: PropertyStatus;
}

export async function goToRefuted(model: StatusModel, direction: 1 | -1, editor: TextEditor | undefined): Promise<void> {
  const place = nextRefuted(
    [...model.files],
    direction,
    editor && { uri: editor.document.uri.toString(), line: editor.selection.active.line },
  );
  if (place === undefined) {
    void tell('information', 'no property is known to be refuted.');
    return;
  }
  await reveal(place.file.uri, place.status.range, false);
  const said = leaving(place, direction, editor && { uri: editor.document.uri.toString(), line: editor.selection.active.line });
  if (said !== '') window.setStatusBarMessage(`aiglens: ${said}`, saidFor);
}

const saidFor = 5000; // milliseconds

/** What is said on the way to another file, or around; nothing on the way through one. */
export function leaving({ file, status }: Place, direction: 1 | -1, from: { uri: string; line: number } | undefined): string {
  if (from === undefined) return '';
  if (file.uri !== from.uri) return `no ${direction === 1 ? 'further' : 'earlier'} refuted property in ${fileName(from.uri)}: this is ${fileName(file.uri)}`;
  const onwards = (status.range.start.line - from.line) * direction;
  if (onwards === 0) return `no other property of ${fileName(file.uri)} is refuted`;
  return onwards < 0 ? `wrapped around: the ${direction === 1 ? 'first' : 'last'} refuted property of ${fileName(file.uri)}` : '';
}

/** The refuted property after or before a line, with stale verdicts too. */
export function nextRefuted(files: FileStatus[], direction: 1 | -1, from?: { uri: string; line: number }): Place | undefined {
  const here = Math.max(0, files.findIndex(({ uri }) => uri === from?.uri));
  const ordered = [...files.slice(here), ...files.slice(0, here)];
  const places = ordered.flatMap((file) => refutedIn(file).map((status) => ({ file, status })));
  const isAfter = ({ file, status }: Place) => file.uri !== from?.uri || status.range.start.line > from.line;
  const isBefore = ({ file, status }: Place) => file.uri === from?.uri && status.range.start.line < from.line;
  return direction === 1 ? (places.find(isAfter) ?? places[0]) : (places.findLast(isBefore) ?? places.at(-1));
}

/** It is to be gone to, with a stale verdict too. */
export function isRefuted({ verdict, standing }: PropertyStatus): boolean {
  return verdict !== 'none' && standing === 'failed';
}

function refutedIn({ properties }: FileStatus): PropertyStatus[] {
  return [...properties.values()].filter(isRefuted).sort((a, b) => a.range.start.line - b.range.start.line);
}
