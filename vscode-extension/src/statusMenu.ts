// What a click on the status bar offers: stopping first while there is something
// to stop, what can be done with the verdicts, and the properties to go to.
import { commands, type QuickPickItem, QuickPickItemKind, ThemeIcon, window } from 'vscode';
import { fileName, reveal, shownUri } from './places';
import type { PropertyStatus } from './protocol';
import { isRefuted } from './navigation';
import { countsOf, type FileStatus, isActive, type StatusModel } from './status';
import { byImportance, iconFor } from './summary';
import { textOf } from './verdicts';

interface Choice extends QuickPickItem {
  run?: () => unknown;
}

const listed = 500; // properties of a file, so that the list opens at once

export async function showStatus(model: StatusModel): Promise<void> {
  const file = model.file(shownUri() ?? '');
  const pick = window.createQuickPick<Choice>();
  pick.title = file === undefined ? 'aiglens' : `Verdicts of ${fileName(file.uri)}`;
  pick.placeholder = 'What to do, or a property to go to';
  pick.matchOnDescription = true;
  pick.items = [...actions(model, file), ...propertiesOf(file)];
  const chosen = await new Promise<Choice | undefined>((resolve) => {
    pick.onDidAccept(() => resolve(pick.selectedItems[0]));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
  pick.dispose();
  await chosen?.run?.();
}

function actions(model: StatusModel, file: FileStatus | undefined): Choice[] {
  const all = countsOf(...model.files);
  const busy = all.running + all.queued;
  const failed = file !== undefined && [...file.properties.values()].some(({ verdict, standing }) => verdict !== 'none' && standing !== 'passed');
  const action = (icon: string, label: string, command: string, description = ''): Choice => ({
    label,
    description,
    iconPath: new ThemeIcon(icon),
    run: () => commands.executeCommand(command),
  });
  return [
    ...(busy > 0 ? [action('debug-stop', 'Stop All Checks', 'aiglens.stopAllChecks', `${all.running} being checked, ${all.queued} queued`)] : []),
    ...(file === undefined ? [] : [action('run-all', 'Check All Properties of the File', 'aiglens.checkFile')]),
    action('run-above', 'Check All Circuits in the Workspace', 'aiglens.checkAllCircuits'),
    ...(failed ? [action('debug-rerun', 'Recheck Failed Properties', 'aiglens.recheck')] : []),
    ...(all.refuted + all.unreached > 0 ? [action('arrow-down', 'Go to Next Refuted Property', 'aiglens.nextRefuted'), action('arrow-up', 'Go to Previous Refuted Property', 'aiglens.previousRefuted')] : []),
    ...(file === undefined ? [] : [action('history', 'Show History of Verdicts', 'aiglens.showHistory'), action('graph', 'Show Statistics of the Circuit', 'aiglens.showStats')]),
    { ...action('settings-gear', 'Open Settings', ''), run: () => commands.executeCommand('workbench.action.openSettings', '@ext:aiglens.aiglens') },
  ];
}

function propertiesOf(file: FileStatus | undefined): Choice[] {
  if (file === undefined) return [];
  const item = (status: PropertyStatus): Choice => ({
    label: `${iconFor(status)} ${status.name}`,
    description: `${textOf(status)} · line ${status.range.start.line + 1}`,
    run: () => reveal(file.uri, status.range, false),
  });
  const all = byImportance(file);
  const more = all.length > listed ? `properties, the first ${listed} of ${all.length}` : 'properties';
  return [{ label: more, kind: QuickPickItemKind.Separator }, ...all.slice(0, listed).map(item)];
}

/** Whether checks are on their way, and whether a property is refuted, for the menus of VS Code to know. */
export function followActivity(model: StatusModel): { dispose(): void } {
  const before = { checking: false, anyRefuted: false };
  const follow = () => {
    const now = { checking: false, anyRefuted: false };
    for (const { properties } of model.files) {
      for (const status of properties.values()) {
        now.checking ||= isActive(status);
        now.anyRefuted ||= isRefuted(status);
      }
    }
    for (const name of ['checking', 'anyRefuted'] as const) if (now[name] !== before[name]) void commands.executeCommand('setContext', `aiglens.${name}`, now[name]);
    Object.assign(before, now);
  };
  const listeners = [model.onDidChange(follow), model.onDidClear(follow)];
  return { dispose: () => listeners.forEach((listener) => void listener.dispose()) };
}
