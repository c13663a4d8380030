// What proves a property, as a read-only document whose latches are links.
import { Disposable, DocumentLink, EventEmitter, Uri, window, workspace, languages } from 'vscode';
import type { Location } from 'vscode-languageclient/node';
import { documentUri, fileName, toRange } from './places';
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
  // By document, for as long as it is open.
  const links = new Map<string, protocol.ProofLink[]>();
  const provider = {
    onDidChange: again.event,
    provideTextDocumentContent: async (document: Uri): Promise<string> => {
      const [uri, property] = JSON.parse(document.query) as [string, protocol.PropertyID];
      links.delete(document.toString());
      try {
        const proof = await server.execute(protocol.proof, { uri, property });
        links.set(document.toString(), proof?.links ?? []);
        return proof?.text ?? '';
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return `${error.message}\n`;
      }
    },
  };
  const linked = {
    provideDocumentLinks: ({ uri }: { uri: Uri }): DocumentLink[] =>
      (links.get(uri.toString()) ?? []).map(({ range, location }) => new DocumentLink(toRange(range), target(location))),
  };
  return Disposable.from(
    workspace.registerTextDocumentContentProvider(scheme, provider),
    languages.registerDocumentLinkProvider({ scheme }, linked),
    workspace.onDidCloseTextDocument(({ uri }) => links.delete(uri.toString())),
  );
}

/** A place as a link leads to it. */
function target({ uri, range }: Location): Uri {
  return documentUri(uri).with({ fragment: `L${range.start.line + 1},${range.start.character + 1}` });
}
