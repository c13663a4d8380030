// A circuit made smaller as long as a property is refuted, opened beside.
import { type CancellationToken, ProgressLocation, ViewColumn, window, workspace } from 'vscode';
import { activeSubject } from './pages';
import { circuitUri, fileName, propertyFrom } from './places';
import * as protocol from './protocol';
import type { Server } from './server';
import { tell } from './telling';

/** Of the property that a code action names, else of the one at the cursor, or the first that is refuted. */
export async function reduceToCounterexample(server: Pick<Server, 'execute'>, about: unknown): Promise<void> {
  const named = propertyFrom(about) ?? propertyFrom(activeSubject());
  const uri = named?.uri ?? circuitUri();
  if (uri === undefined) return;
  const options = { location: ProgressLocation.Notification, cancellable: true, title: `Reducing ${fileName(uri)}` };
  const reduced = await window.withProgress(options, async (_, token) => {
    try {
      return await ask(server, { uri, ...(named === undefined ? {} : { property: named.property }) }, token);
    } catch (error) {
      if (token.isCancellationRequested) return undefined;
      throw error;
    }
  });
  if (reduced === undefined) return;
  const language = workspace.textDocuments.find((document) => document.uri.toString() === uri)?.languageId ?? 'aiger';
  const document = await workspace.openTextDocument({ language, content: reduced.text });
  await window.showTextDocument(document, { viewColumn: ViewColumn.Beside, preview: false });
  // That it is refuted is known of what was tried; of this text it is found out.
  await server.execute(protocol.check, { uri: document.uri.toString() });
  void tell('information', `${reduced.message}. The file has no name yet; ${reduced.name} would be one.`);
}

function ask(server: Pick<Server, 'execute'>, params: protocol.ReduceParams, token: CancellationToken): Promise<protocol.Reduced | undefined> {
  return server.execute(protocol.reduce, params, token);
}
