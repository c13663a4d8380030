// The settings of the extension. The server gets all of them when it starts and
// asks for them again when they change; it ignores what is not for it.
import { workspace } from 'vscode';

/** The settings below aiglens as nested objects: { check: { trigger: … }, … }. */
export function serverSettings(): unknown {
  // The configuration is such an object, with functions that JSON leaves out.
  return JSON.parse(JSON.stringify(workspace.getConfiguration('aiglens')));
}

/** The program that the user wants instead of the bundled one, if any. */
export function serverPath(): string | undefined {
  return workspace.getConfiguration('aiglens').get('server.path', '').trim() || undefined;
}
