// What is answered about a file, such as how large its circuit is: a read-only document that
// follows when the file is saved.
import { Disposable, EventEmitter, Uri, workspace } from 'vscode';
import { schemeOf, showPage } from './pages';
import { circuitEditor, fileName } from './places';
import * as protocol from './protocol';
import { Refusal } from './refusal';
import type { Server } from './server';

const aboutFiles = protocol.questions.filter(({ about }) => about === 'file');

function documentOf(question: protocol.Question, file: string): Uri {
  return Uri.from({ scheme: schemeOf(question.name), path: `/${fileName(file)} ${question.page}.txt`, query: file });
}

export async function showAboutFile(question: protocol.Question, file: string): Promise<void> {
  const document = documentOf(question, file);
  again.fire(document);
  await showPage(await workspace.openTextDocument(document), circuitEditor()?.viewColumn);
}

/** A document that may be open already, about an earlier text. */
const again = new EventEmitter<Uri>();

export function registerFileAnswers(server: Pick<Server, 'execute'>): Disposable {
  const provider = ({ ask }: protocol.Question) => ({
    onDidChange: again.event,
    provideTextDocumentContent: async ({ query }: Uri): Promise<string> => {
      try {
        return (await server.execute(ask, { uri: query }))?.text ?? '';
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return `${error.message}\n`;
      }
    },
  });
  return Disposable.from(
    ...aboutFiles.map((question) => workspace.registerTextDocumentContentProvider(schemeOf(question.name), provider(question))),
    workspace.onDidSaveTextDocument(({ uri }) => {
      const shown = aboutFiles.map((question) => documentOf(question, uri.toString()).toString());
      for (const document of workspace.textDocuments) if (shown.includes(document.uri.toString())) again.fire(document.uri);
    }),
  );
}
