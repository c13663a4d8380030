// Commands: those of the extension and of the server, which lenses, links, keys and the palette of the editor run too,
// and those of the editor.
import { editor as monaco } from 'monaco-editor/editor/editor.api.js';
import { Disposable } from './values';

type Run = (...argumentsGiven: unknown[]) => unknown;

const known = new Map<string, Run>();

export function registerCommand(id: string, run: Run, self?: unknown): Disposable {
  const bound: Run = (...given) => run.apply(self, given);
  known.set(id, bound);
  const registered = monaco.registerCommand(id, (_services, ...given) => void Promise.resolve(executeCommand(id, ...given)).catch((error: unknown) => failed(error)));
  return new Disposable(() => {
    if (known.get(id) === bound) known.delete(id);
    registered.dispose();
  });
}

let failed: (error: unknown) => void = (error) => console.error(error);

/** Sets the function that tells the user of commands of lenses, links and keys that fail. */
export function onFailure(tell: (error: unknown) => void): void {
  failed = tell;
}

export async function executeCommand<Answer>(id: string, ...given: unknown[]): Promise<Answer> {
  const run = known.get(id);
  if (run !== undefined) return (await run(...given)) as Answer;
  const action = activeEditor()?.getAction(id);
  if (action != null) return (await action.run(given[0])) as Answer;
  throw new Error(`“${id}” is a command of VS Code, which this page does not have.`);
}

export async function getCommands(): Promise<string[]> {
  return [...known.keys()];
}

/** The editor that has the focus, or had it last. */
export let activeEditor: () => monaco.ICodeEditor | undefined = () => monaco.getEditors()[0];

export function actsIn(active: typeof activeEditor): void {
  activeEditor = active;
}
