// What a circuit is compared with: its text in the last commit, on disk, or another file.
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type TextDocument, Uri, workspace } from 'vscode';
import { decodedScheme, encodedUri } from '../decodedUri';
import { holdsModels, isEncoded } from '../formats';
import { documentUri } from '../places';
import type { CompareParams, Comparison, NeededFiles } from '../protocol';
import { Refusal } from '../refusal';
import { earlierUri } from './earlier';
import { EarlierModels } from './earlierModels';
import { blobIn, lastCommit } from './git';

export interface Baseline {
  /** After "same function as". */
  readonly words: string;
  /** In front of names of signals. */
  readonly short: string;
  /** The other side, for the server. */
  readonly other: Pick<CompareParams, 'text' | 'path' | 'before' | 'rewritten' | 'earlier'>;
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

/** @throws Refusal when there is no such text, in words that say why */
export async function inLastCommit(file: Uri): Promise<Baseline> {
  const commit = await lastCommit(file);
  const bytes = await blobIn(commit, file);
  const words = 'HEAD';
  const named = { words, short: words, commit };
  if (!isEncoded(file)) {
    const text = new TextDecoder().decode(bytes);
    const document = earlierUri(file, 'HEAD', text);
    if (!holdsModels(file)) return { ...named, other: { text }, text, document };
    const models = new EarlierModels(file, commit);
    return { ...named, other: { text, earlier: models.files }, text, document, tell: (needs) => models.tell(needs), notes: () => models.notes };
  }
  const path = await temporary(file.fsPath, bytes);
  return { ...named, other: { path }, document: documentUri(Uri.file(path).toString()) };
}

export async function onDisk(file: Uri): Promise<Baseline> {
  const bytes = await workspace.fs.readFile(file).then(undefined, (error: unknown) => {
    throw new Refusal(`${basename(file.path)} is not on disk: ${error instanceof Error ? error.message : String(error)}`);
  });
  const named = { words: 'the file on disk', short: 'disk' };
  if (isEncoded(file)) return { ...named, other: { path: file.fsPath }, document: documentUri(file.toString()) };
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

export function anotherFile(file: Uri): Baseline {
  return { words: basename(file.path), short: basename(file.path), other: { path: file.fsPath }, document: documentUri(file.toString()) };
}

interface Copy {
  readonly folder: string;
  readonly path: string;
  readonly hash: string;
}

/** The last copy of each file, by its path. */
const copies = new Map<string, Copy>();

/** A copy of a file with some bytes, the same for the same bytes, until forgetTemporary or others. */
async function temporary(file: string, bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex');
  const before = copies.get(file);
  if (before?.hash === hash) return before.path;
  const folder = await mkdtemp(join(tmpdir(), 'aiglens-head-'));
  const path = join(folder, basename(file));
  await writeFile(path, bytes);
  const replaced = copies.get(file);
  copies.set(file, { folder, path, hash });
  if (replaced !== undefined) forget(replaced);
  return path;
}

function forget({ folder }: Copy): void {
  void rm(folder, { recursive: true, force: true });
}

export function forgetTemporary(): void {
  for (const copy of copies.values()) forget(copy);
  copies.clear();
}
