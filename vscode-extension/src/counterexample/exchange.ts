// Counterexamples that leave and enter: files in several formats, the clipboard,
// viewers of waveforms, and witnesses of other checkers.
import { env, type QuickPickItem, Uri, window, workspace } from 'vscode';
import { isBTOR2, isCalledBTOR2 } from '../formats';
import type { Viewers } from '../host';
import { fileName } from '../places';
import * as protocol from '../protocol';
import { Refusal } from '../refusal';
import type { Server } from '../server';
import type { PropertyRef } from './messages';
import { tell } from '../telling';

interface Format {
  format: protocol.TraceFormat;
  label: string;
  description: string;
}

const waves: Format[] = [
  { format: 'vcd', label: 'VCD', description: 'for waveform viewers' },
  { format: 'json', label: 'JSON', description: 'for scripts' },
  { format: 'wavedrom', label: 'WaveDrom', description: 'for documentation' },
  { format: 'markdown', label: 'Markdown', description: 'a table, for issues' },
];

/** Witnesses of a BTOR2 file are those of its language; all others are of AIGER. */
function writesBTOR2(uri: string): boolean {
  const document = workspace.textDocuments.find((one) => one.uri.toString() === uri);
  return document === undefined ? isCalledBTOR2(Uri.parse(uri)) : isBTOR2(document);
}

const witnessOf = (uri: string): Format =>
  writesBTOR2(uri)
    ? { format: 'witness', label: 'BTOR2 witness', description: 'for other checkers and btorsim' }
    : { format: 'witness', label: 'AIGER witness', description: 'for other checkers and aigsim' };

const stimulusOf = (uri: string): Format =>
  writesBTOR2(uri)
    ? { format: 'witness', label: 'BTOR2 stimulus or witness', description: 'for aiglens replay' }
    : { format: 'witness', label: 'AIGER stimulus or witness', description: 'for aiglens replay and aigsim' };

/** Witnesses have no name for lemmas and covers. */
const hasWitness = ({ property }: PropertyRef): boolean => !/^(lemma|cover):/.test(property);

export class Exchange {
  /** @param viewers absent where no program can be started */
  constructor(
    private readonly server: Pick<Server, 'execute'>,
    private readonly viewers?: Pick<Viewers, 'find'>,
  ) {}

  /** What can be done with a counterexample elsewhere, for the user to choose. */
  async choose(about: PropertyRef): Promise<void> {
    type Item = QuickPickItem & { run: () => Promise<unknown> };
    const items: Item[] = [
      ...[...(hasWitness(about) ? [witnessOf(about.uri)] : []), ...waves].map(({ format, label, description }): Item => ({ label: `$(save) Save as ${label}…`, description, run: () => this.save(about, format) })),
      { label: '$(copy) Copy as Markdown table', run: () => this.copy(about) },
      ...(this.viewers === undefined ? [] : [{ label: '$(link-external) Open in a waveform viewer', description: 'VaporView or GTKWave', run: () => this.openWaves(about) }]),
    ];
    const chosen = await window.showQuickPick(items, { title: 'Counterexample', placeHolder: 'What to do with it' });
    await chosen?.run();
  }

  /** What can be done with a run of no property elsewhere. */
  async chooseForRun(uri: string, run: protocol.PlayedRun): Promise<void> {
    const items = [stimulusOf(uri), ...waves].map(({ format, label, description }) => ({ format, label: `$(save) Save as ${label}…`, description }));
    const chosen = await window.showQuickPick(items, { title: 'Run', placeHolder: 'What to do with it' });
    if (chosen !== undefined) await this.keep(uri, await this.server.execute(protocol.exportRun, { uri, run, format: chosen.format }));
  }

  async save(about: PropertyRef, format: protocol.TraceFormat): Promise<void> {
    await this.keep(about.uri, await this.export(about, format));
  }

  private async keep(uri: string, exported: protocol.ExportedTrace | undefined): Promise<void> {
    if (exported === undefined) return;
    const circuit = Uri.parse(uri);
    const folder = circuit.scheme === 'untitled' ? workspace.workspaceFolders?.[0]?.uri : Uri.joinPath(circuit, '..');
    const target = await window.showSaveDialog(folder === undefined ? {} : { defaultUri: Uri.joinPath(folder, exported.name) });
    if (target !== undefined) await workspace.fs.writeFile(target, new TextEncoder().encode(exported.text));
  }

  async copy(about: PropertyRef): Promise<void> {
    const exported = await this.export(about, 'markdown');
    if (exported === undefined) return;
    await env.clipboard.writeText(exported.text);
    void window.setStatusBarMessage('The counterexample is in the clipboard, as a Markdown table.', 4000);
  }

  async openWaves(about: PropertyRef): Promise<void> {
    const viewers = (await this.viewers?.find()) ?? [];
    if (viewers.length === 0) {
      const save = 'Save as VCD…';
      const chosen = await tell('information', 'there is neither the extension VaporView nor the program gtkwave.', save);
      if (chosen === save) await this.save(about, 'vcd');
      return;
    }
    const viewer = viewers.length === 1 ? viewers[0] : await window.showQuickPick(viewers, { title: 'Waveform viewer' });
    const exported = viewer === undefined ? undefined : await this.export(about, 'vcd');
    if (exported !== undefined) await viewer?.show(exported.name, exported.text);
  }

  /** Replays a witness file on a circuit. The answer is undefined when it was refused, with the reason told. */
  async openWitness(circuit: string, witness?: Uri): Promise<protocol.ImportedWitness | undefined> {
    const file = witness ?? (await window.showOpenDialog({
      title: `Witness of a Counterexample for ${fileName(circuit)}`,
      openLabel: 'Replay',
      filters: { 'Witnesses of AIGER, traces of Yosys': ['wit', 'cex', 'aiw', 'yw', 'txt', 'out'], 'All files': ['*'] },
    }))?.[0];
    if (file === undefined) return undefined;
    const source = file.scheme === 'file' ? { path: file.fsPath } : { text: new TextDecoder().decode(await workspace.fs.readFile(file)) };
    try {
      return await this.server.execute(protocol.importWitness, { uri: circuit, ...source });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      void tell('error', `${fileName(file.toString())} is not a counterexample of ${fileName(circuit)}: ${error.message}`);
      return undefined;
    }
  }

  export(about: PropertyRef, format: protocol.TraceFormat): Promise<protocol.ExportedTrace | undefined> {
    return this.server.execute(protocol.exportTrace, { ...about, format });
  }
}
