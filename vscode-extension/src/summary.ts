// Verdicts in few words: for the status bar, its tooltip and
// screen readers.
import type { PropertyStatus } from './protocol';
import { textOf } from './verdicts';
import { type Counts, type FileStatus, type Mark, markOf } from './status';

/** The icons are those of VS Code's own tests, where it has them. */
const icons: Record<Mark | 'none', string> = {
  proved: '$(pass)',
  refuted: '$(error)',
  unknown: '$(question)',
  staleProved: '$(history)',
  staleRefuted: '$(history)',
  staleUnknown: '$(history)',
  queued: '$(watch)',
  running: '$(sync~spin)',
  none: '$(circle-large-outline)',
};

export function iconFor(status: PropertyStatus): string {
  return icons[markOf(status) ?? 'none'];
}

/** Like `12 proved, 1 refuted, 2 stale`. */
export function words(counts: Counts): string {
  const parts: [number, string][] = [
    [counts.proved, 'proved'],
    [counts.reached, 'reached'],
    [counts.refuted, 'refuted'],
    [counts.unreached, 'never reached'],
    [counts.unknown, 'unknown'],
    [counts.stale, 'stale'],
    [counts.none, 'not checked'],
    [counts.running, 'being checked'],
    [counts.queued, 'queued'],
  ];
  return parts.flatMap(([count, word]) => (count > 0 ? `${count} ${word}` : [])).join(', ');
}

const rows = 16;
const importance: (Mark | undefined)[] = ['refuted', 'running', 'unknown', 'staleRefuted', 'staleUnknown', 'staleProved', 'queued', undefined, 'proved'];

/** The properties that need the user first, in text order otherwise. */
export function byImportance({ properties }: Pick<FileStatus, 'properties'>): PropertyStatus[] {
  const rank = (status: PropertyStatus) => importance.indexOf(markOf(status));
  return [...properties.values()].sort((a, b) => rank(a) - rank(b));
}

const colours: Partial<Record<Mark, string>> = { proved: 'aiglens-provedForeground', refuted: 'aiglens-refutedForeground', unknown: 'aiglens-unknownForeground' };

function coloured(status: PropertyStatus): string {
  const colour = colours[markOf(status) ?? 'queued'];
  return colour === undefined ? iconFor(status) : `<span style="color:var(--vscode-${colour});">${iconFor(status)}</span>`;
}

/** A table of the properties as Markdown, of many only the first that need the user. */
export function table(file: Pick<FileStatus, 'properties'>): string {
  const all = byImportance(file);
  const lines = all.slice(0, rows).map((status) => `| ${coloured(status)} | ${escaped(status.name)} | &nbsp; ${escaped(textOf(status))} |`);
  const more = all.length - lines.length;
  return ['| | property | &nbsp; verdict |', '|---|:--|:--|', ...lines, ...(more > 0 ? [`| | and ${more} more | |`] : [])].join('\n');
}

function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~$&]/g, '\\$&').replace(/\s+/g, ' ');
}
