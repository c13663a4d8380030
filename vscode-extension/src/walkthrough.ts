// What the steps of the walkthrough do: an example is opened beside it, broken, read and
// repaired. A step is done once its effect is seen, however it came about.
import { commands, Disposable, type ExtensionContext, Range, type TextDocument, Uri, ViewColumn, window, workspace, WorkspaceEdit } from 'vscode';
import type { Checks } from './checks';
import { register } from './commands';
import type { StatusModel } from './status';
import { tell } from './telling';

/** The gate by which b takes the semaphore while it is free, and while it is not. */
export const rows = { right: '46 44 18', wrong: '46 44 19' };

/** Set once it has happened: completion of the steps of package.json. */
const happened = { broken: 'aiglens.exampleBroken', repaired: 'aiglens.exampleRepaired' };

export class Walkthrough {
  private example: TextDocument | undefined;
  private broken = false;
  private readonly all: Disposable;

  constructor(
    private readonly context: Pick<ExtensionContext, 'extensionUri'>,
    private readonly checks: Pick<Checks, 'check'>,
    private readonly model: StatusModel,
  ) {
    this.all = Disposable.from(
      model.onDidChange(({ uri }) => this.look(uri)),
      register('aiglens.openExample', async () => {
        await this.open();
        await this.check();
      }),
      register('aiglens.breakExample', () => this.replace(rows.right, rows.wrong)),
      register('aiglens.traceExample', () => this.trace()),
      register('aiglens.repairExample', () => this.replace(rows.wrong, rows.right)),
    );
  }

  dispose(): void {
    this.all.dispose();
  }

  /** The example as a text that is not a file: nothing is written unless the user saves it. */
  private async open(): Promise<TextDocument> {
    if (this.example === undefined || this.example.isClosed) {
      const bytes = await workspace.fs.readFile(Uri.joinPath(Uri.joinPath(this.context.extensionUri, 'walkthrough'), 'semaphore2.aag'));
      this.example = await workspace.openTextDocument({ language: 'aiger', content: new TextDecoder().decode(bytes) });
      this.broken = false;
    }
    const example = this.example;
    const shown = window.visibleTextEditors.find(({ document }) => document === example);
    await window.showTextDocument(example, { viewColumn: shown?.viewColumn ?? ViewColumn.Beside, preview: false });
    return example;
  }

  /** Does nothing where the user has been faster. */
  private async replace(old: string, by: string): Promise<void> {
    const document = await this.open();
    const at = document.getText().indexOf(`\n${old}\n`) + 1;
    if (at > 0) {
      const edit = new WorkspaceEdit();
      edit.replace(document.uri, new Range(document.positionAt(at), document.positionAt(at + old.length)), by);
      await workspace.applyEdit(edit);
    }
    await this.check();
  }

  private async trace(): Promise<void> {
    const document = await this.open();
    const uri = document.uri.toString();
    const refuted = [...(this.model.file(uri)?.properties.values() ?? [])].find(({ verdict }) => verdict === 'refuted');
    if (refuted === undefined) {
      void tell('information', 'the example has no counterexample. Break it first.');
      return;
    }
    await commands.executeCommand('aiglens.showTrace', { uri, property: refuted.property });
  }

  private async check(): Promise<void> {
    if (this.example !== undefined) await this.checks.check({ uri: this.example.uri.toString() });
  }

  private look(uri: string): void {
    if (uri !== this.example?.uri.toString()) return;
    for (const { verdict, freshness } of this.model.file(uri)?.properties.values() ?? []) {
      if (freshness !== 'fresh') continue;
      if (verdict === 'refuted') {
        this.broken = true;
        void commands.executeCommand('setContext', happened.broken, true);
      } else if (verdict === 'proved' && this.broken) {
        void commands.executeCommand('setContext', happened.repaired, true);
      }
    }
  }
}
