// Searches for lemmas, for hard latches and for other counterexamples. The server shows how far it is, and how
// long it may take.
import { type QuickPickItem, type TextEditor, window } from 'vscode';
import { fileName } from './places';
import { showProof } from './proof';
import * as protocol from './protocol';
import type { Server } from './server';
import { tell } from './telling';

interface About {
  uri: string;
  property: protocol.PropertyID;
}

/** Shows which latches a proof of a property does without. */
export async function showWhatIsHard(server: Pick<Server, 'execute'>, about: About): Promise<void> {
  const answer = await server.execute(protocol.isolate, about);
  if (answer !== undefined) await showProof(about.uri, about.property, 'isolation', answer);
}

/** Offers guesses of lemmas; the server has the text changed, unless it is another by then. */
export async function suggestLemmas(server: Pick<Server, 'execute'>, about: About): Promise<void> {
  const found = await server.execute(protocol.suggest, about);
  if (found === undefined) return;
  if (found.lemmas.length === 0) {
    const others = found.others > 0 ? ` that the text has words for (${found.others} others)` : '';
    void tell('information', `no lemma is suggested for ${found.name}${others}.`);
    return;
  }
  const items = found.lemmas.map(({ title, detail, facts }, index): QuickPickItem & { index: number } => ({ index, label: title, detail: facts.length > 1 ? `${detail}: ${facts.join('; ')}` : detail }));
  const chosen = await window.showQuickPick(items, {
    canPickMany: true,
    ignoreFocusOut: true,
    title: `Lemmas for ${found.name}`,
    placeHolder: 'Guesses: each is proved before it is used',
  });
  if (chosen === undefined || chosen.length === 0) return;
  await server.execute(protocol.addLemmas, { ...about, version: found.version, lemmas: chosen.map(({ index }) => index) });
}

/** Asks for an expression that is to be a lemma of the text; the server has the text changed, unless it is another by then. */
export async function addLemma(server: Pick<Server, 'execute'>, { document }: Pick<TextEditor, 'document'>): Promise<void> {
  const uri = document.uri.toString();
  const { version } = document;
  const typed = await window.showInputBox({
    title: `A lemma of ${fileName(uri)}`,
    prompt: 'What holds in every step: count <= 9, state != work | ready. It is proved before it is used',
    ignoreFocusOut: true,
  });
  const expression = typed?.trim();
  if (expression) await server.execute(protocol.addLemmas, { uri, version, lemmas: [], expression });
}
