// Reports that the last commit may be another one, made in a terminal, in the view of
// VS Code or with another program.
import { dirname } from 'node:path';
import { type Disposable, RelativePattern, Uri, workspace } from 'vscode';
import type { CommitWatcher } from '../host';
import { gitFolder } from './git';

/** Milliseconds in which the files that git writes for one command are one change. */
const rest = 300;

export class RepositoryWatcher implements CommitWatcher {
  /** By the folder of a file. */
  private readonly asked = new Map<string, Promise<void>>();
  /** By the folder of git. */
  private readonly watchers = new Map<string, Disposable>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isDisposed = false;

  /** @param changed is called after a change */
  constructor(private readonly changed: () => void) {}

  watch(file: Uri): Promise<void> {
    const folder = dirname(file.fsPath);
    const asked = this.asked.get(folder) ?? this.watchFolder(file).catch(() => void this.asked.delete(folder)); // there may be one later
    this.asked.set(folder, asked);
    return asked;
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const watcher of this.watchers.values()) watcher.dispose();
    this.watchers.clear();
  }

  private async watchFolder(file: Uri): Promise<void> {
    const folder = await gitFolder(file);
    if (this.isDisposed || this.watchers.has(folder)) return;
    // HEAD, the index, ORIG_HEAD and others: each command that makes another commit the last one
    // writes one of them.
    const watcher = workspace.createFileSystemWatcher(new RelativePattern(Uri.file(folder), '*'));
    const wait = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(this.changed, rest);
    };
    watcher.onDidChange(wait);
    watcher.onDidCreate(wait);
    watcher.onDidDelete(wait);
    this.watchers.set(folder, watcher);
  }
}
