// The settings that the server wants to know, in the shape in which it takes
// them when it starts. It registers for later changes of them by itself.
import { workspace } from 'vscode';

export interface ServerSettings {
  check: { trigger: string; timeout: number; workers: number };
  diagnostics: { proved: string };
  format: { onType: string };
}

export function serverSettings(): ServerSettings {
  const settings = workspace.getConfiguration('aiglens');
  return {
    check: {
      trigger: settings.get('check.trigger', 'onSave'),
      timeout: settings.get('check.timeout', 60),
      workers: settings.get('check.workers', 2),
    },
    diagnostics: { proved: settings.get('diagnostics.proved', 'auto') },
    format: { onType: settings.get('format.onType', 'counts') },
  };
}

/** The program that the user wants instead of the bundled one, if any. */
export function serverPath(): string | undefined {
  return workspace.getConfiguration('aiglens').get('server.path', '').trim() || undefined;
}
