// What is answered about a property, as a read-only document whose latches are links: what proves it,
// what stands in the way of a proof, what makes it hard.
import { commands, Disposable, DocumentLink, EventEmitter, Uri, workspace, languages } from 'vscode';
import type { Location } from 'vscode-languageclient';
import { holdsModels, isModels } from './formats';
import { proofScheme, showPage } from './pages';
import { circuitEditor, fileName, reveal, toRange } from './places';
import { isPresent } from './proofIdentity';
import * as protocol from './protocol';
import { Refusal } from './refusal';
import type { Server } from './server';
import type { StatusModel } from './status';

const askAgain = 'This answer is no longer available. Run the command “Find What Makes the Property Hard” again.\n';

const scheme = proofScheme;

/** What such a document is about: a question about a property, or what makes that hard. */
const kinds: Record<string, Pick<protocol.Question, 'page' | 'ask' | 'about'>> = {
  ...Object.fromEntries(protocol.questions.filter(({ about }) => about !== 'file').map((question) => [question.name, question])),
  isolation: { page: 'what makes it hard', ask: protocol.isolate, about: 'unknown' },
};

/** By document what it shows, where that takes long to find out once more. */
const answers = new Map<string, protocol.Answer>();

/** By document what it was last filled with, also while the editor opens it. */
const filled = new Map<string, { document: Uri; proof: protocol.Answer }>();

/** By document what it shows of an earlier text; `edited` until it is shown again, else a status may take that back. */
const earlier = new Map<string, { text: string; edited: boolean }>();

/**
 * Shows what there is to read about the proof of a property of a file, or about why it has none.
 *
 * @param answer what the server has answered already
 */
export async function showProof(uri: string, property: protocol.PropertyID, kind: string = 'proof', answer?: protocol.Answer): Promise<void> {
  const document = Uri.from({ scheme, path: `/${fileName(uri)} ${property.replace(':', ' ')} ${kinds[kind]!.page}.txt`, query: JSON.stringify([uri, property, kind]) });
  if (answer !== undefined) answers.set(document.toString(), answer);
  earlier.delete(document.toString());
  filled.delete(document.toString());
  again.fire(document);
  const opened = await workspace.openTextDocument(document);
  // What was told before the editor knew of the document was lost on it.
  if (earlier.has(document.toString())) again.fire(document);
  await showPage(opened, circuitEditor()?.viewColumn);
}

/** A document that may be open already, about an earlier text. */
const again = new EventEmitter<Uri>();

export function registerProofs(server: Pick<Server, 'execute'>, model: StatusModel): Disposable {
  // By document, for as long as it is open.
  const links = new Map<string, protocol.ProofLink[]>();
  const provider = {
    onDidChange: again.event,
    provideTextDocumentContent: async (document: Uri): Promise<string> => {
      const [uri, property, kind] = JSON.parse(document.query) as [string, protocol.PropertyID, string];
      links.delete(document.toString());
      const shown = earlier.get(document.toString());
      if (shown !== undefined) return marked(uri, shown.text);
      const edits = editsOf(uri);
      filled.delete(document.toString());
      try {
        const answer = answers.get(document.toString());
        // A long search starts on request, not when a window comes back.
        if (answer === undefined && kind === 'isolation') return askAgain;
        const proof = answer ?? (await server.execute(kinds[kind]!.ask, { uri, property }));
        if (proof === undefined) return '';
        filled.set(document.toString(), { document, proof });
        const open = workspace.textDocuments.find((one) => one.uri.toString() === Uri.parse(uri).toString());
        const edited = editsOf(uri) !== edits || (open !== undefined && open.version !== proof.version);
        if (edited || !isAbout(model, uri, kind, proof)) { // overtaken on its way
          earlier.set(document.toString(), { text: proof.text, edited });
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
    commands.registerCommand(goToPlace, ({ uri, range }: Location) => reveal(uri, range, false)),
    workspace.registerTextDocumentContentProvider(scheme, provider),
    languages.registerDocumentLinkProvider({ scheme }, linked),
    workspace.onDidCloseTextDocument(({ uri }) => {
      links.delete(uri.toString());
      answers.delete(uri.toString());
      earlier.delete(uri.toString());
      filled.delete(uri.toString());
    }),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0) return;
      if (isModels(document)) modelEdits++;
      outdate(document.uri.toString(), document.languageId);
    }),
    model.onDidChange(({ uri }) => told(model, uri)),
  );
}

/** How often texts with models were edited, which may concern all files that use models. */
let modelEdits = 0;

function editsOf(uri: string): number {
  return holdsModels(Uri.parse(uri)) ? modelEdits : 0;
}

function isAbout(model: StatusModel, uri: string, kind: string, { property, name, circuit }: protocol.Answer): boolean {
  return isPresent(model, Uri.parse(uri).toString(), { property, name, circuit, isProof: kinds[kind]!.about === 'proved' });
}

/** Marks the documents about a file that the server says to be another circuit now, and asks again for those that it says not to be. */
function told(model: StatusModel, changed: string): void {
  for (const { document, proof } of filled.values()) {
    const [uri, , kind] = JSON.parse(document.query) as [string, protocol.PropertyID, string];
    const shown = earlier.get(document.toString());
    if (Uri.parse(uri).toString() !== changed || shown?.edited === true) continue;
    const isStale = !isAbout(model, uri, kind, proof);
    if (isStale === (shown !== undefined)) continue;
    if (isStale) earlier.set(document.toString(), { text: proof.text, edited: false });
    else earlier.delete(document.toString());
    again.fire(document);
  }
}

/** What was found of an earlier text of a file, which says so. */
function marked(uri: string, text: string): string {
  const mark = `${fileName(uri)} has changed, or a circuit beside it: this is about the text before. Show it again for the present one.\n\n`;
  return text.startsWith(mark) ? text : mark + text; // an answer that was asked for again may be on its way
}

/** Marks the documents that a change of a circuit may concern: those about it, and of BLIF those about files that may use its models. */
function outdate(changed: string, language: string): void {
  for (const document of workspace.textDocuments) {
    const shown = earlier.get(document.uri.toString());
    if (document.uri.scheme !== scheme || shown?.edited === true) continue;
    const [uri] = JSON.parse(document.uri.query) as [string];
    if (Uri.parse(uri).toString() !== changed && !(language === 'blif' && holdsModels(Uri.parse(uri)))) continue;
    earlier.set(document.uri.toString(), { text: shown?.text ?? document.getText(), edited: true });
    answers.delete(document.uri.toString());
    if (shown === undefined) again.fire(document.uri);
  }
}

/** Shows a place in the text beside, where an address would open that over the page. */
const goToPlace = 'aiglens.goToPlace';

/** A place as a link leads to it. */
function target(location: Location): Uri {
  return Uri.parse(`command:${goToPlace}?${encodeURIComponent(JSON.stringify([location]))}`);
}
