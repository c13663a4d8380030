/// <reference lib="dom" />
// The files beside the text: the user's own, and examples.
import type { Files } from './files';
import { documents } from './vscode/documents';

interface Does {
  open(path: string): void;
  /** Removes a file of the user, or takes back what was changed in an example. */
  remove(path: string): unknown;
}

export class FileList {
  private current = '';

  constructor(
    private readonly place: HTMLElement,
    readonly files: Files,
    private readonly examples: readonly string[],
    private readonly does: Does,
  ) {
    files.onDidChange(() => this.draw());
    this.draw();
  }

  shown(path: string): void {
    this.current = path;
    this.draw();
    this.place.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  draw(): void {
    const isExample = (path: string) => this.examples.includes(path.slice(1));
    const own = this.files.paths.filter((path) => !isExample(path));
    this.place.replaceChildren(...(own.length === 0 ? [] : this.group('Files', own)), ...this.group('Examples', this.examples.map((name) => `/${name}`)));
  }

  private group(title: string, paths: readonly string[]): HTMLElement[] {
    const heading = document.createElement('h2');
    heading.textContent = title;
    const list = document.createElement('ul');
    list.append(...paths.map((path) => this.row(path)));
    return [heading, list];
  }

  private row(path: string): HTMLElement {
    const name = path.slice(1);
    const isDirty = documents().some(({ uri, isDirty: dirty }) => dirty && uri.path === path);
    const row = document.createElement('li');
    const open = document.createElement('button');
    open.textContent = name + (isDirty ? ' ●' : '');
    open.title = isDirty ? `${name}, changed since it was saved` : name;
    open.className = 'file';
    if (path === this.current) open.setAttribute('aria-current', 'true');
    open.addEventListener('click', () => this.does.open(path));
    row.append(open);
    if (this.files.isOwn(path)) {
      const remove = document.createElement('button');
      const isExample = this.examples.includes(name);
      remove.className = 'close';
      remove.textContent = isExample ? '↺' : '×';
      remove.title = isExample ? `Take back what was changed in ${name}` : `Remove ${name}`;
      remove.setAttribute('aria-label', remove.title);
      remove.addEventListener('click', () => void this.does.remove(path));
      row.append(remove);
    }
    return row;
  }
}
