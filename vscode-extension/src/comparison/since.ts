// Whether what a comparison rests on is what it was: both texts, and models of other files.
import { Disposable, RelativePattern, type TextDocument, Uri, workspace } from 'vscode';
import { holdsModels, isModels, models } from '../formats';
import { fileName } from '../places';
import { type Baseline, fileOf } from './baseline';

/** Names that files with cells often have. Others that a BLIF file may search are not watched. */
const libraries = '**/*.{lib,genlib}';

/** Tells of files of the workspace whose models or cells a circuit of another file may use. */
export function watchModels(changed: (file: Uri) => void): Disposable {
  return Disposable.from(watchFiles(models, changed), watchFiles(libraries, changed));
}

function watchFiles(pattern: string | RelativePattern, changed: (file: Uri) => void): Disposable {
  const files = workspace.createFileSystemWatcher(pattern);
  return Disposable.from(files, files.onDidChange(changed), files.onDidCreate(changed), files.onDidDelete(changed));
}

/** Looks at both sides of a comparison from when it is made until it is disposed of. */
export class Since {
  private changed = false;
  private readonly listeners: Disposable;

  /**
   * @param baseline the other side, if it is known by now
   * @param over is called with each change that may make the comparison one of an older text
   */
  constructor(
    private readonly document: TextDocument,
    private readonly baseline: Baseline | undefined,
    over: () => void = () => undefined,
  ) {
    const end = () => {
      this.changed = true;
      over();
    };
    const onDisk = (file: Uri) => {
      if (!this.isOpen(file)) end();
    };
    const file = baseline?.file;
    this.listeners = Disposable.from(
      workspace.onDidChangeTextDocument((event) => {
        if (event.contentChanges.length > 0 && this.concerns(event.document)) end();
      }),
      ...(this.hasModels ? [watchModels(onDisk)] : []),
      ...(file === undefined ? [] : [watchFiles(new RelativePattern(Uri.joinPath(file, '..'), fileName(file.toString())), onDisk)]),
    );
  }

  /** There has been such a change. */
  get isOver(): boolean {
    return this.changed;
  }

  dispose(): void {
    this.listeners.dispose();
  }

  /** Models of other files may be in the circuit of either side. */
  private get hasModels(): boolean {
    return isModels(this.document) || (this.baseline !== undefined && holdsModels(this.baseline.document));
  }

  private concerns(changed: TextDocument): boolean {
    const { document, baseline } = this;
    switch (changed.uri.toString()) {
      case document.uri.toString():
        return true;
      case baseline?.document.toString(): // VS Code may load an earlier text late
        return baseline?.text === undefined || withoutReturns(changed.getText()) !== withoutReturns(baseline.text);
      default:
        return this.hasModels && isModels(changed) && this.schemes.includes(changed.uri.scheme);
    }
  }

  /** Of documents that show what is worked on, and not what was. */
  private get schemes(): string[] {
    const { document, baseline } = this;
    return [document.uri.scheme, fileOf(document).scheme, ...(baseline === undefined || baseline.text !== undefined ? [] : [baseline.document.scheme])];
  }

  /** The server reads an open document, whose changes are told as such. */
  private isOpen(file: Uri): boolean {
    const { document, baseline } = this;
    return workspace.textDocuments.some((open) => open.uri.toString() === file.toString() && (isModels(open) || open === document || file.toString() === baseline?.document.toString()));
  }
}

function withoutReturns(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
