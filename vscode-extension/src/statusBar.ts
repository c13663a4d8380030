// The status bar: how many properties of the active circuit are proved, refuted,
// unknown, stale or on their way, and where no circuit is active, what runs.
import { Disposable, MarkdownString, StatusBarAlignment, type StatusBarItem, window, workspace } from 'vscode';
import type { Checks } from './checks';
import { fileName } from './places';
import { type Counts, countsOf, type FileStatus, type StatusModel } from './status';
import { summary, table, words } from './summary';

const pause = 100; // milliseconds between what is shown

export class StatusBar {
  private readonly item: StatusBarItem;
  private readonly listeners: Disposable;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly model: StatusModel,
    private readonly checks: Checks,
  ) {
    this.item = window.createStatusBarItem('aiglens.status', StatusBarAlignment.Left, 10);
    this.item.name = 'aiglens: Verdicts';
    this.item.command = 'aiglens.showStatus';
    this.listeners = Disposable.from(
      this.item,
      model.onDidChange(() => this.soon()),
      model.onDidClear(() => this.show()),
      checks.onDidChange(() => this.show()),
      window.onDidChangeActiveTextEditor(() => this.show()),
      workspace.onDidGrantWorkspaceTrust(() => this.show()),
      workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('aiglens.statusBar')) this.show();
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

  /** What is switched off, and where it is switched on. */
  private showRestricted(): void {
    this.item.text = '$(shield) nothing is checked';
    this.item.tooltip = restricted;
    this.item.command = 'workbench.trust.manage';
    this.item.accessibilityInformation = { label: `aiglens: ${restricted}`, role: 'button' };
    this.item.show();
  }

  private soon(): void {
    this.timer ??= setTimeout(() => this.show(), pause);
  }

  private show(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const file = this.model.file(window.activeTextEditor?.document.uri.toString() ?? '');
    const all = countsOf(...this.model.files);
    const busy = all.running + all.queued;
    this.shown = workspace.getConfiguration('aiglens').get('statusBar.enabled', true) && (file !== undefined || busy > 0 || this.checks.stopping);
    if (!this.shown) return this.item.hide();
    if (!workspace.isTrusted) return this.showRestricted();
    this.item.command = 'aiglens.showStatus';
    const counts = file === undefined ? all : countsOf(file);
    const label = this.checks.stopping ? 'stopping' : file === undefined ? `${busy} being checked or queued` : words(counts);
    this.item.text = this.checks.stopping ? '$(loading~spin) stopping…' : file === undefined ? `$(sync~spin) ${busy}` : summary(counts);
    this.item.tooltip = tooltip(file, all);
    this.item.accessibilityInformation = { label: `aiglens: ${label}`, role: 'button' };
    this.item.show();
  }
}

/** What a folder that is not trusted is kept from. */
export const restricted =
  'This folder is not trusted: aiglens checks nothing in it, reads no file that another one names, and takes neither a server nor a cell library from its settings. What is said of the text comes from the text alone. Click to manage the trust.';

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
