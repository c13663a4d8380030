// The status bar: what is known of the properties of the active circuit, and else why
// nothing is; where no circuit is active, what runs.
import { Disposable, MarkdownString, StatusBarAlignment, type StatusBarItem, window, workspace } from 'vscode';
import type { Checks } from './checks';
import { isCircuit } from './formats';
import { onDidChangeSubject } from './pages';
import { circuitEditor, fileName, shownUri } from './places';
import type { Server } from './server';
import { type Counts, countsOf, type FileStatus, type StatusModel } from './status';
import { table, words } from './summary';

const pause = 100; // milliseconds between what is shown

export class StatusBar {
  private readonly item: StatusBarItem;
  private readonly listeners: Disposable;
  private timer: NodeJS.Timeout | undefined;
  private last = 0;

  constructor(
    private readonly model: StatusModel,
    private readonly checks: Checks,
    private readonly server: Pick<Server, 'state' | 'onDidChangeState'>,
  ) {
    this.item = window.createStatusBarItem('aiglens.status', StatusBarAlignment.Left, 10);
    this.item.name = 'aiglens: Verdicts';
    this.listeners = Disposable.from(
      this.item,
      model.onDidChange(() => this.soon()),
      model.onDidClear(() => this.show()),
      checks.onDidChange(() => this.show()),
      server.onDidChangeState(() => this.show()),
      window.onDidChangeActiveTextEditor(() => this.show()),
      window.onDidChangeVisibleTextEditors(() => this.show()),
      onDidChangeSubject(() => this.show()),
      workspace.onDidGrantWorkspaceTrust(() => this.show()),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('aiglens.statusBar') || event.affectsConfiguration('aiglens.check.trigger')) this.show();
      }),
    );
    this.show();
  }

  /** What is shown; undefined when nothing is. */
  get text(): string | undefined {
    return this.shown ? this.item.text : undefined;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listeners.dispose();
  }

  private shown = false;

  private soon(): void {
    this.timer ??= setTimeout(() => this.show(), Math.max(0, this.last + pause - Date.now()));
  }

  private show(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.last = Date.now();
    const said = workspace.getConfiguration('aiglens').get('statusBar.enabled', true) ? this.said() : undefined;
    this.shown = said !== undefined;
    if (said === undefined) return this.item.hide();
    this.item.text = `$(${said.icon}) ${said.text}`;
    this.item.tooltip = said.tooltip;
    this.item.command = said.command;
    this.item.accessibilityInformation = { label: `aiglens: ${said.label ?? said.text}`, role: 'button' };
    this.item.show();
  }

  private said(): Said | undefined {
    const document = circuitEditor()?.document;
    const uri = shownUri() ?? '';
    const file = this.model.file(uri);
    const all = countsOf(...this.model.files);
    const busy = all.running + all.queued;
    const isOpen = file !== undefined || (document !== undefined && isCircuit(document));
    const command = 'aiglens.showStatus';
    if (this.checks.stopping) return { icon: 'loading~spin', text: 'stopping…', tooltip: tooltip(file, all), command };
    if (!isOpen) return busy === 0 ? undefined : { icon: 'sync~spin', text: `${busy}`, label: `${busy} being checked or queued`, tooltip: tooltip(file, all), command };
    if (!workspace.isTrusted) return { icon: 'shield', text: 'untrusted: nothing is checked', label: restricted, tooltip: restricted, command: 'workbench.trust.manage' };
    if (this.server.state === 'stopped') return { icon: 'debug-disconnect', text: 'server not running', tooltip: 'Nothing is checked: the server does not run. Click to start it.', command: 'aiglens.restartServer' };
    const unwritten = this.model.unwritten(uri);
    if (file !== undefined) return this.counted(file, all, unwritten);
    if (unwritten !== undefined) return { icon: own, text: unwritten.split(';')[0]!, label: unwritten, tooltip: `${unwritten}.`, command: 'aiglens.explainNoProperties' };
    const without = this.model.without(uri);
    if (without === undefined) return { icon: 'loading~spin', text: 'reading…', tooltip: 'The server has not reported on this file yet.', command };
    return { icon: own, text: 'no properties: why?', tooltip: without.why === '' ? 'This file has no properties.' : `This file has no properties: ${without.why}.`, command: 'aiglens.explainNoProperties' };
  }

  private counted(file: FileStatus, all: Counts, unwritten: string | undefined): Said {
    const counts = countsOf(file);
    const label = words(counts);
    const waits = counts.none + counts.stale > 0 && counts.running + counts.queued === 0 && workspace.getConfiguration('aiglens').get('check.trigger') === 'manual';
    const hover = tooltip(file, all);
    if (unwritten !== undefined) hover.appendMarkdown(`\n\n${unwritten}.`);
    if (waits) hover.appendMarkdown('\n\nChecks run only on request: `aiglens.check.trigger` is *manual*.');
    const icon = counts.running + counts.queued > 0 ? 'sync~spin' : waits ? 'debug-pause' : own;
    return { icon, text: waits ? `paused: ${label}` : label, label, tooltip: hover, command: 'aiglens.showStatus' };
  }
}

/** The sign of a circuit, unlike those by which VS Code counts problems. */
const own = 'circuit-board';

interface Said {
  icon: string;
  text: string;
  /** For users of screen readers, where the text alone says too little. */
  label?: string;
  tooltip: string | MarkdownString;
  command: string;
}

/** What a folder that is not trusted is kept from. */
export const restricted =
  'This folder is not trusted: aiglens checks nothing in it, reads no file that another one names, and takes neither a server nor a cell library from its settings. Diagnostics come from the text alone. Click to manage the trust.';

/** The properties of the active file, what runs elsewhere, and what can be done. */
export function tooltip(file: FileStatus | undefined, all: Counts): MarkdownString {
  const text = new MarkdownString('', true);
  text.supportHtml = true; // for colours
  text.isTrusted = { enabledCommands: ['aiglens.stopAllChecks', 'aiglens.checkFile', 'aiglens.showHistory'] };
  const links: string[] = [];
  const busy = all.running + all.queued;
  if (busy > 0) links.push('[$(debug-stop) Stop All Checks](command:aiglens.stopAllChecks)');
  if (file !== undefined) {
    text.appendMarkdown('**').appendText(fileName(file.uri)).appendMarkdown(`** · ${words(countsOf(file))}\n\n${table(file)}\n\n`);
    links.push('[$(run-all) Check File](command:aiglens.checkFile)', '[$(history) History](command:aiglens.showHistory)');
  }
  const here = file === undefined ? { running: 0, queued: 0 } : countsOf(file);
  const elsewhere = busy - here.running - here.queued;
  if (elsewhere > 0) text.appendMarkdown(`${elsewhere} being checked or queued in ${file === undefined ? 'this window' : 'other files'}\n\n`);
  return text.appendMarkdown(links.join(' &nbsp; '));
}
