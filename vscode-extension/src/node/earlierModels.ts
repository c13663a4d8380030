// The files that the models of a BLIF file came from in a commit, as far as the server asks for them.
import { readdir, readlink } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { Uri } from 'vscode';
import { holdsModels } from '../formats';
import type { EarlierFile, EarlierFiles, NeededFiles } from '../protocol';
import { git, textOf } from './git';

/** Of the files that are named to the user. */
const most = 4;

/** Of the files of a folder the server looks at so many, in the order of their names. */
const mostOfFolder = 500;

export class EarlierModels {
  /** What is known by now. */
  readonly files: EarlierFiles = { files: [], folders: [] };
  private readonly absent: string[] = [];
  private readonly outside: string[] = [];
  /** How many folders the repository goes up from that of the file. */
  private depth: Promise<number> | undefined;

  constructor(
    private readonly file: Uri,
    private readonly commit: string,
  ) {}

  /** What is not as it was, or was not there. */
  get notes(): string[] {
    return [
      ...(this.absent.length > 0 ? [`not in the last commit: ${list(this.absent)}`] : []),
      ...(this.outside.length > 0 ? [`in no commit of this repository, and taken as it is now: ${list(this.outside)}`] : []),
    ];
  }

  /** Finds out what files were. */
  async tell(needs: NeededFiles): Promise<void> {
    const wanted: string[] = [];
    for (const path of needs.files) {
      if (await this.isOutside(path)) this.takeNow(path);
      else wanted.push(path);
    }
    await this.read(wanted.map((path) => ({ path, object: this.objectOf(path) })));
    for (const path of needs.folders) await this.list(path);
  }

  private takeNow(path: string): void {
    this.add({ path, now: true });
    this.outside.push(basename(path));
  }

  private add(file: EarlierFile): void {
    if (!this.files.files.some(({ path }) => path === file.path)) this.files.files.push(file);
  }

  /** Takes in all models of a folder. */
  private async list(folder: string): Promise<void> {
    this.files.folders.push(folder);
    if (await this.isOutside(join(folder, 'x'))) {
      const names = await readdir(folder).catch(() => []);
      for (const name of modelsAmong(names.sort(), (one) => one)) this.takeNow(join(folder, name));
      return;
    }
    const known = new Set(this.files.files.map(({ path }) => path));
    const rows = modelsAmong(await this.tree(folder), ({ name }) => name).map(({ name, object }) => ({ path: join(folder, name), object }));
    await this.read(rows.filter(({ path }) => !known.has(path)).map(({ path, object }) => ({ path, object: object ?? this.objectOf(path) })));
  }

  /** The files and links of a folder in the commit, these without an object; none of a folder that was not there. */
  private async tree(folder: string): Promise<{ name: string; object?: string }[]> {
    const [found] = await this.batch([this.objectOf(folder)]);
    if (found?.type !== 'tree') return [];
    const said = new TextDecoder().decode(await git(this.file, ['ls-tree', '-z', '--full-tree', found.object]));
    return said.split('\0').flatMap((row) => {
      const [, kind, object, name] = /^(100|120)\d{3} blob ([0-9a-f]+)\t([^]+)$/.exec(row) ?? [];
      if (object === undefined || name === undefined) return [];
      return kind === '100' ? [{ name, object }] : [{ name }];
    });
  }

  /** Takes in the texts of objects; of what is not a file in the commit, that it was not there. */
  private async read(wanted: readonly { path: string; object: string }[]): Promise<void> {
    const found = await this.batch(wanted.map(({ object }) => object));
    for (const [at, { path }] of wanted.entries()) {
      const one = found[at];
      if (one?.type === 'blob') this.add({ path, text: new TextDecoder().decode(one.bytes) });
      else if (one?.type === 'symlink' && (await isLinkTo(path, new TextDecoder().decode(one.bytes)))) this.takeNow(path);
      else {
        this.add({ path });
        this.absent.push(basename(path));
      }
    }
  }

  /** What git has of objects, in their order, of links what they lead to; undefined for what it has not. */
  private async batch(objects: readonly string[]): Promise<({ type: string; object: string; bytes: Uint8Array } | undefined)[]> {
    const isLine = (object: string) => !/[\n\r]/.test(object);
    const asked = objects.filter(isLine);
    if (asked.length === 0) return objects.map(() => undefined);
    const said = await git(this.file, ['cat-file', '--batch', '--follow-symlinks'], asked.map((object) => `${object}\n`).join(''));
    let at = 0;
    return objects.map((name) => {
      if (!isLine(name)) return undefined;
      const end = said.indexOf(10, at);
      const line = new TextDecoder().decode(said.subarray(at, end));
      const [, object = '', type = '', size = ''] = /^(?:([0-9a-f]+) )?(\w+) (\d+)$/.exec(line) ?? [];
      at = end + 1;
      if (type === '') return undefined;
      const bytes = said.subarray(at, at + Number(size));
      at += Number(size) + 1;
      // A link that leads out of the repository is a symlink, one that leads nowhere dangling or a loop.
      return object !== '' || type === 'symlink' ? { type, object, bytes } : undefined;
    });
  }

  /** A path of this machine as git knows it in the commit. */
  private objectOf(path: string): string {
    return `${this.commit}:./${this.relative(path)}`;
  }

  private relative(path: string): string {
    return relative(dirname(this.file.fsPath), path).split(sep).join('/');
  }

  private async isOutside(path: string): Promise<boolean> {
    const from = this.relative(path);
    if (isAbsolute(from)) return true; // on another drive
    this.depth ??= git(this.file, ['rev-parse', '--show-cdup']).then((said) => ups(textOf(said)));
    return ups(from) > (await this.depth);
  }
}

/** Whether a link is still the one that leads to a target. */
async function isLinkTo(path: string, target: string): Promise<boolean> {
  return (await readlink(path).catch(() => undefined)) === target;
}

/** Those of a folder that the server would look at. */
function modelsAmong<T>(all: readonly T[], nameOf: (one: T) => string): T[] {
  return all.filter((one) => holdsModels(Uri.file(`/${nameOf(one)}`))).slice(0, mostOfFolder);
}

/** How many folders a relative path goes up. */
function ups(path: string): number {
  return path.split('/').filter((part) => part === '..').length;
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
