// What a circuit is compared with: its text in the last commit, on disk, or another file.
import { type TextDocument, type Uri, workspace } from 'vscode';
import { decodedScheme, encodedUri } from '../decodedUri';
import { isEncoded } from '../formats';
import { documentUri, fileName } from '../places';
import type { CompareParams, Comparison, NeededFiles } from '../protocol';
import { Refusal } from '../refusal';
import { earlierUri } from './earlier';

export interface Baseline {
  /** After "same function as". */
  readonly words: string;
  /** In front of names of signals. */
  readonly short: string;
  /** The other side, for the server. */
  readonly other: Pick<CompareParams, 'text' | 'path' | 'before' | 'rewritten' | 'earlier'>;
  /** The file that it is, whose changes are to be noticed. */
  readonly file?: Uri;
  /** A document that shows it. */
  readonly document: Uri;
  /** Its text, if that is not the one of a file. */
  readonly text?: string;
  /** The commit that it is from. */
  readonly commit?: string;
  /** Puts into `other` what other files were. */
  readonly tell?: (needs: NeededFiles) => Promise<void>;
  /** What there is to say of these, for the user. */
  readonly notes?: () => string[];
}

/** The file that a document shows. */
export function fileOf({ uri }: Pick<TextDocument, 'uri'>): Uri {
  return uri.scheme === decodedScheme ? encodedUri(uri) : uri;
}

export async function onDisk(file: Uri): Promise<Baseline> {
  const bytes = await workspace.fs.readFile(file).then(undefined, (error: unknown) => {
    throw new Refusal(`${fileName(file.toString())} is not on disk: ${error instanceof Error ? error.message : String(error)}`);
  });
  const named = { words: 'the file on disk', short: 'disk' };
  if (isEncoded(file)) return { ...named, ...(await whole(file)) };
  const text = new TextDecoder().decode(bytes);
  return { ...named, other: { text }, text, document: earlierUri(file, 'on disk', text) };
}

/** The text before an edit, as a comparison with it has told. */
export function beforeEdit(file: Uri, { before = '', earlier }: Comparison): Baseline {
  const text = earlier ?? '';
  // What there is to do with a difference is to be about this text, also once another is saved.
  const other = earlier === undefined ? { before: true } : { text, rewritten: true };
  return { words: before, short: 'before', other, text, document: earlierUri(file, 'before the edit', text) };
}

export async function anotherFile(file: Uri): Promise<Baseline> {
  const name = fileName(file.toString());
  return { words: name, short: name, ...(await whole(file)) };
}

/** The other side is a file. The server reads it where it is one of its machine, and else gets its text. */
async function whole(file: Uri): Promise<Pick<Baseline, 'other' | 'file' | 'document'>> {
  const document = documentUri(file.toString());
  const other = file.scheme === 'file' ? { path: file.fsPath } : { text: (await workspace.openTextDocument(document)).getText() };
  return { other, file, document };
}
