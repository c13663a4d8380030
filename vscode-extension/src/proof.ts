// What proves a property, as a read-only document.
import { Disposable, EventEmitter, Uri, window, workspace } from 'vscode';
import { fileName } from './places';
import * as protocol from './protocol';
import { Refusal } from './refusal';
import type { Server } from './server';

const scheme = 'aiglens-proof';

/** Shows what there is to read about the proof of a property of a file. */
export async function showProof(uri: string, property: protocol.PropertyID): Promise<void> {
  const document = Uri.from({ scheme, path: `/${fileName(uri)} ${property.replace(':', ' ')} proof.txt`, query: JSON.stringify([uri, property]) });
  again.fire(document);
  await window.showTextDocument(await workspace.openTextDocument(document), { preview: true });
}

/** A document that may be open already, about an earlier text. */
const again = new EventEmitter<Uri>();

export function registerProofs(server: Pick<Server, 'execute'>): Disposable {
  const provider = {
    onDidChange: again.event,
    provideTextDocumentContent: async ({ query }: Uri): Promise<string> => {
      const [uri, property] = JSON.parse(query) as [string, protocol.PropertyID];
      try {
        return (await server.execute(protocol.proof, { uri, property }))?.text ?? '';
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return `${error.message}\n`;
      }
    },
  };
  return workspace.registerTextDocumentContentProvider(scheme, provider);
}
