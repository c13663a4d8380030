// What proves a property, what stands in the way of a proof, or makes it hard, as a read-only document
// whose latches are links.
import { Disposable, DocumentLink, EventEmitter, Uri, window, workspace, languages } from 'vscode';
import type { Location } from 'vscode-languageclient/node';
import { holdsModels } from './formats';
import { documentUri, fileName, toRange } from './places';
import * as protocol from './protocol';
import { Refusal } from './refusal';
import type { Server } from './server';

const askAgain = 'What makes this property hard has to be looked for once more: the command “Find What Makes the Property Hard” does so.\n';

const scheme = 'aiglens-proof';

/** What such a document is about: its title, and who answers with it. */
const kinds = {
  proof: { title: 'proof', command: protocol.proof },
  obstacle: { title: 'what stands in the way', command: protocol.obstacle },
  isolation: { title: 'what makes it hard', command: protocol.isolate },
};

type Kind = keyof typeof kinds;

/** By document what it shows, where that takes long to find out once more. */
const answers = new Map<string, protocol.Proof>();

/** By document what it has shown since a circuit was edited: it is about an earlier text. */
const earlier = new Map<string, string>();

/**
 * Shows what there is to read about the proof of a property of a file, or about why it has none.
 *
 * @param answer what the server has answered already
 */
export async function showProof(uri: string, property: protocol.PropertyID, kind: Kind = 'proof', answer?: protocol.Proof): Promise<void> {
  const document = Uri.from({ scheme, path: `/${fileName(uri)} ${property.replace(':', ' ')} ${kinds[kind].title}.txt`, query: JSON.stringify([uri, property, kind]) });
  if (answer !== undefined) answers.set(document.toString(), answer);
  earlier.delete(document.toString());
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
      const [uri, property, kind] = JSON.parse(document.query) as [string, protocol.PropertyID, Kind];
      links.delete(document.toString());
      const shown = earlier.get(document.toString());
      if (shown !== undefined) return marked(uri, shown);
      try {
        const answer = answers.get(document.toString());
        // What is looked for at length is looked for when somebody asks, not when a window comes back.
        if (answer === undefined && kind === 'isolation') return askAgain;
        const proof = answer ?? (await server.execute(kinds[kind].command, { uri, property }));
        if (proof === undefined) return '';
        const open = workspace.textDocuments.find((one) => one.uri.toString() === Uri.parse(uri).toString());
        if (open !== undefined && open.version !== proof.version) { // edited while the answer was on its way
          earlier.set(document.toString(), proof.text);
          return marked(uri, proof.text);
        }
        links.set(document.toString(), proof.links);
        return proof.text;
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
    workspace.onDidCloseTextDocument(({ uri }) => {
      links.delete(uri.toString());
      answers.delete(uri.toString());
      earlier.delete(uri.toString());
    }),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) outdate(document.uri.toString(), document.languageId);
    }),
  );
}

/** What was found of an earlier text of a file, which says so. */
function marked(uri: string, text: string): string {
  return `${fileName(uri)} has changed, or a circuit beside it: this is about the text before. Show it again for the present one.\n\n${text}`;
}

/** Marks the documents that a change of a circuit may concern: those about it, and of BLIF those about files that may use its models. */
function outdate(changed: string, language: string): void {
  for (const document of workspace.textDocuments) {
    if (document.uri.scheme !== scheme || earlier.has(document.uri.toString())) continue;
    const [uri] = JSON.parse(document.uri.query) as [string];
    if (uri !== changed && !(language === 'blif' && holdsModels(Uri.parse(uri)))) continue;
    earlier.set(document.uri.toString(), document.getText());
    answers.delete(document.uri.toString());
    again.fire(document.uri);
  }
}

/** A place as a link leads to it. */
function target({ uri, range }: Location): Uri {
  return documentUri(uri).with({ fragment: `L${range.start.line + 1},${range.start.character + 1}` });
}
