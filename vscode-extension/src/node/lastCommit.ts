// What a circuit was in the last commit, as the other side of a comparison.
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Uri } from 'vscode';
import type { Baseline } from '../comparison/baseline';
import { earlierUri } from '../comparison/earlier';
import { holdsModels, isEncoded } from '../formats';
import type { Commits } from '../host';
import { documentUri } from '../places';
import { RepositoryWatcher } from './commits';
import { EarlierModels } from './earlierModels';
import { blobIn, lastCommit } from './git';

export const commits: Commits = { last: inLastCommit, watcher: (changed) => new RepositoryWatcher(changed), dispose: forgetTemporary };

async function inLastCommit(file: Uri): Promise<Baseline> {
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

interface Copy {
  readonly folder: string;
  readonly path: string;
  readonly hash: string;
}

/** The last copy of each file, by its path. */
const copies = new Map<string, Copy>();

/** A copy of a file with some bytes, the same for the same bytes, until there are others, or dispose. */
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

function forgetTemporary(): void {
  for (const copy of copies.values()) forget(copy);
  copies.clear();
}
