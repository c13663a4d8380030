// The difference that is shown beside a text as a file: waves with both sides, or a witness of one.
import { type QuickPickItem, Uri, window, workspace } from 'vscode';
import { fileName } from '../places';
import * as protocol from '../protocol';
import { Refusal } from '../refusal';
import type { Server } from '../server';
import type { SideBySide } from './sideBySide';

interface Item extends QuickPickItem {
  readonly how: Pick<protocol.ExportDifferenceParams, 'format' | 'side'>;
}

function items(here: string, there: string): Item[] {
  return [
    { label: '$(save) Save as VCD…', description: 'both sides, for waveform viewers', how: { format: 'vcd' } },
    { label: `$(save) Save as AIGER witness of ${here}…`, description: 'for other checkers and aigsim', how: { format: 'witness', side: 'here' } },
    { label: `$(save) Save as AIGER witness of ${there}…`, description: 'the same inputs, for the other side', how: { format: 'witness', side: 'there' } },
    { label: '$(save) Save as JSON…', description: 'both sides, for scripts', how: { format: 'json' } },
    { label: '$(save) Save as WaveDrom…', description: 'both sides, for documentation', how: { format: 'wavedrom' } },
    { label: '$(save) Save as Markdown…', description: 'a table of what differs, for issues', how: { format: 'markdown' } },
  ];
}

/** Asks for a format and a file. The dialogue of VS Code asks before it takes one that is there. */
export async function saveDifference(server: Pick<Server, 'execute'>, { about }: Pick<SideBySide, 'about'>): Promise<void> {
  if (about === undefined) throw new Refusal('no difference is shown: compare two circuits first');
  const { document, baseline } = about;
  const chosen = await window.showQuickPick(items(fileName(document.uri.toString()), baseline.words), { title: 'Difference', placeHolder: 'What to do with it' });
  if (chosen === undefined) return;
  const exported = await server.execute(protocol.exportDifference, { uri: document.uri.toString(), ...baseline.other, name: baseline.words, ...chosen.how });
  if (exported === undefined) return;
  const folder = document.uri.scheme === 'file' ? Uri.joinPath(document.uri, '..') : workspace.workspaceFolders?.[0]?.uri;
  const target = await window.showSaveDialog(folder === undefined ? {} : { defaultUri: Uri.joinPath(folder, exported.name) });
  if (target !== undefined) await workspace.fs.writeFile(target, new TextEncoder().encode(exported.text));
}
