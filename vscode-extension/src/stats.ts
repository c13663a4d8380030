// How large the circuit of a file is and how it is made, as a read-only document that
// follows when the file is saved.
import { Disposable, EventEmitter, Uri, window, workspace } from 'vscode';
import { fileName } from './places';
import * as protocol from './protocol';
import { Refusal } from './refusal';
import type { Server } from './server';

const scheme = 'aiglens-stats';

function statsUri(file: string): Uri {
  return Uri.from({ scheme, path: `/${fileName(file)} statistics.txt`, query: file });
}

export async function showStats(file: string): Promise<void> {
  const document = statsUri(file);
  again.fire(document);
  await window.showTextDocument(await workspace.openTextDocument(document), { preview: true });
}

/** A document that may be open already, about an earlier text. */
const again = new EventEmitter<Uri>();

export function registerStats(server: Pick<Server, 'execute'>): Disposable {
  const provider = {
    onDidChange: again.event,
    provideTextDocumentContent: async ({ query }: Uri): Promise<string> => {
      try {
        return (await server.execute(protocol.stats, { uri: query }))?.text ?? '';
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return `${error.message}\n`;
      }
    },
  };
  return Disposable.from(
    workspace.registerTextDocumentContentProvider(scheme, provider),
    workspace.onDidSaveTextDocument(({ uri }) => {
      const shown = statsUri(uri.toString()).toString();
      const open = workspace.textDocuments.find((document) => document.uri.toString() === shown);
      if (open !== undefined) again.fire(open.uri);
    }),
  );
}
