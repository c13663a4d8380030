// Runs of no property: from reset, and those in which a signal is 1.
import { ProgressLocation, type TextEditor, Uri, window } from 'vscode';
import type { Position } from 'vscode-languageclient';
import { fileName } from '../places';
import * as protocol from '../protocol';
import { Refusal } from '../refusal';
import type { Server } from '../server';
import type { Panels } from './panel';
import { atCursor } from './steps';
import { tell } from '../telling';

/** Looks for a run in which the signal at a place is 1, that of the cursor without one. */
export async function showReaching(server: Pick<Server, 'execute'>, panels: Pick<Panels, 'play'>, editor: TextEditor | undefined, argument: unknown): Promise<void> {
  const named = (argument ?? {}) as { uri?: unknown; position?: Position };
  const place = typeof named.uri === 'string' && named.position !== undefined ? { uri: Uri.parse(named.uri).toString(), position: named.position } : editor && atCursor(editor);
  if (place !== undefined) await search(server, panels, place);
}

/** Asks for an expression over signals and words of a circuit, and looks for a run in which it holds. */
export async function showReachingExpression(server: Pick<Server, 'execute'>, panels: Pick<Panels, 'play'>, { document }: Pick<TextEditor, 'document'>): Promise<void> {
  const uri = document.uri.toString();
  const expression = await window.showInputBox({
    title: `A run of ${fileName(uri)} in which an expression holds`,
    prompt: 'Over the signals and words of one step: a & !b, count == 9, state == idle',
    ignoreFocusOut: true,
  });
  if (expression?.trim()) await search(server, panels, { uri, position: { line: 0, character: 0 }, expression: expression.trim() });
}

/** Looks for a run, and shows it or says that there is none. */
async function search(server: Pick<Server, 'execute'>, panels: Pick<Panels, 'play'>, place: protocol.ReachParams): Promise<void> {
  const options = { location: ProgressLocation.Notification, cancellable: true, title: `Looking for a run in ${fileName(place.uri)}` };
  const found = await window.withProgress(options, async (_, token) => {
    try {
      return await server.execute(protocol.reach, place, token);
    } catch (error) {
      if (token.isCancellationRequested) return undefined;
      if (!(error instanceof Refusal)) throw error;
      void tell('warning', error.message);
      return undefined;
    }
  });
  if (found === undefined) return;
  if (found.run !== undefined) await panels.play(place.uri, { run: found.run });
  else if (found.verdict === 'never') void tell('information', found.message);
  else void tell('warning', found.message);
}
