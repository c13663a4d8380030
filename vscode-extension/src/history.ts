// The verdicts that were found for a file, as a read-only document: a list that
// is searched, wrapped, selected, copied and compared with the means of every
// editor, which a list to pick from does not offer, and that stays open and
// follows while the next check runs.
import { Disposable, EventEmitter, type TextDocumentContentProvider, Uri, workspace } from 'vscode';
import type { Checks } from './checks';
import { historyScheme, showPage } from './pages';
import { circuitEditor, fileName } from './places';
import * as protocol from './protocol';
import { Refusal } from './refusal';
import type { StatusModel } from './status';

const scheme = historyScheme;
const settled = 500; // milliseconds without news before the document follows

/** The document with the history of a file. */
export function historyUri(file: string): Uri {
  return Uri.from({ scheme, path: `/${fileName(file)} history.txt`, query: file });
}

export async function showHistory(file: string): Promise<void> {
  const document = await workspace.openTextDocument(historyUri(file));
  await showPage(document, circuitEditor()?.viewColumn);
}

export function registerHistory(checks: Checks, model: StatusModel): Disposable {
  const documents = new HistoryDocuments(checks, model);
  return Disposable.from(documents, workspace.registerTextDocumentContentProvider(scheme, documents));
}

class HistoryDocuments implements TextDocumentContentProvider {
  private readonly changes = new EventEmitter<Uri>();
  readonly onDidChange = this.changes.event;
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly listener: Disposable;

  constructor(
    private readonly checks: Checks,
    model: StatusModel,
  ) {
    this.listener = model.onDidChange(({ uri }) => this.follow(uri));
  }

  async provideTextDocumentContent(document: Uri): Promise<string> {
    try {
      return historyText(document.query, await this.checks.history(document.query));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return `${error.message}\n`;
    }
  }

  dispose(): void {
    this.timers.forEach((timer) => clearTimeout(timer));
    this.listener.dispose();
    this.changes.dispose();
  }

  private follow(file: string): void {
    const shown = workspace.textDocuments.find(({ uri }) => uri.scheme === scheme && uri.query === file);
    if (shown === undefined) return;
    clearTimeout(this.timers.get(file));
    this.timers.set(file, setTimeout(() => this.changes.fire(shown.uri), settled));
  }
}

/** One line a verdict, in columns, below a line that says what they are. */
export function historyText(file: string, entries: readonly protocol.HistoryEntry[]): string {
  const title = `Verdicts of ${fileName(file)}, the newest first`;
  if (entries.length === 0) {
    return `${title}\n\nThere are none yet: nothing was checked since the server started.\n`;
  }
  const rows = [['time', 'property', 'verdict', 'seconds', 'engine', 'version'], ...entries.map(row)];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  const lines = rows.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  ').trimEnd());
  return `${title}\n\n${lines.join('\n')}\n`;
}

function row({ time, property, name, verdict, seconds, engine, cached, reused, version, message }: protocol.HistoryEntry): string[] {
  const named = name === property || name === property.replace(':', ' ') ? name : `${name} (${property})`;
  const text = message.replace(/\s+/g, ' ').replace(/ · [\d.]+ s$/, '').trim(); // seconds have a column
  const words = text.startsWith(verdict) ? text : `${verdict} ${text}`.trim();
  const by = cached ? `${engine}, cached` : reused === undefined ? engine : `${engine}, earlier ${reused}`;
  return [localTime(time), named, words, seconds.toFixed(2), by, String(version)];
}

/** As `12:34:56`, where the user is; of another day as `2026-03-01 12:34:56`. */
function localTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  const two = (part: number) => String(part).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return date.toDateString() === new Date().toDateString() ? clock : `${day} ${clock}`;
}
