// Trees of a page, by the pattern that ARIA has for them: one entry takes the focus by Tab, arrows
// lead through the rest.
import { type Child, type Element, h } from './nodes';

export interface Entry {
  /** Tells it from all others of the tree. */
  readonly key: string;
  readonly label: readonly Child[];
  /** The label in words, for screen readers. */
  readonly said: string;
  /** More than the label, in a tooltip. */
  readonly tip?: string;
  /** What in the answer it leads to. */
  readonly path?: string | undefined;
  /** Undefined where they have to be asked for. */
  readonly children: readonly Entry[] | undefined;
  /** Of an entry to choose: whether it is chosen, or some of what is below it. */
  readonly checked?: 'true' | 'false' | 'mixed';
}

export interface Row {
  readonly entry: Entry;
  readonly level: number;
  readonly position: number;
  readonly size: number;
  /** Undefined for one without children. */
  readonly isOpen: boolean | undefined;
}

/** The entries that are visible, in their order. */
export function rowsOf(entries: readonly Entry[], isOpen: (entry: Entry, level: number) => boolean, level = 1): Row[] {
  return entries.flatMap((entry, index) => {
    const hasMore = entry.children === undefined || entry.children.length > 0;
    // What has to be asked for is open once it is there.
    const open = hasMore && entry.children !== undefined && isOpen(entry, level);
    const row: Row = { entry, level, position: index + 1, size: entries.length, isOpen: hasMore ? open : undefined };
    return [row, ...(open ? rowsOf(entry.children!, isOpen, level + 1) : [])];
  });
}

/** @param current the key of the entry that Tab leads to; the first where it is none of these */
export function treeOf(id: string, name: string, rows: readonly Row[], current: string | undefined): Element {
  const reached = rows.some(({ entry }) => entry.key === current) ? current : rows[0]?.entry.key;
  const items = rows.map(({ entry, level, position, size, isOpen }) =>
    h('div', {
      key: entry.key,
      role: 'treeitem',
      class: `level-${Math.min(level, 8)}`,
      tabindex: entry.key === reached ? 0 : -1,
      title: entry.tip ?? entry.said,
      'aria-label': entry.said,
      'aria-level': level,
      'aria-posinset': position,
      'aria-setsize': size,
      'aria-expanded': isOpen === undefined ? undefined : String(isOpen),
      'aria-checked': entry.checked,
      'data-key': entry.key,
      'data-path': entry.path,
      // What is to be asked for when it is opened.
      'data-ask': entry.children === undefined ? entry.path : undefined,
    }, h('span', { class: isOpen === undefined ? 'twistie none' : 'twistie', 'aria-hidden': 'true' }), h('span', { class: 'entry' }, ...entry.label)));
  return h('div', { key: id, role: 'tree', id, 'aria-label': name, class: 'tree' }, ...items);
}

/** What a key does in a tree: it moves the focus, opens or closes an entry, or goes where that leads. */
export type Move = { focus: number } | { toggle: number } | { go: number };

export function moveOf(rows: readonly Pick<Row, 'level' | 'isOpen'>[], at: number, key: string): Move | undefined {
  const row = rows[at];
  if (row === undefined) return undefined;
  const within = (index: number): Move | undefined => (index >= 0 && index < rows.length && index !== at ? { focus: index } : undefined);
  switch (key) {
    case 'ArrowDown':
      return within(at + 1);
    case 'ArrowUp':
      return within(at - 1);
    case 'Home':
      return within(0);
    case 'End':
      return within(rows.length - 1);
    case 'ArrowRight':
      if (row.isOpen === false) return { toggle: at };
      return row.isOpen === true ? within(at + 1) : undefined;
    case 'ArrowLeft':
      if (row.isOpen === true) return { toggle: at };
      return within(rows.findLastIndex(({ level }, index) => index < at && level < row.level));
    case 'Enter':
      return { go: at };
    case ' ':
      return row.isOpen === undefined ? { go: at } : { toggle: at };
  }
  return undefined;
}
