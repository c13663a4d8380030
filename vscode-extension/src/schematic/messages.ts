// What the schematic panel and its page say to each other. Nodes go by their position.

/** A box as the page draws it. */
export interface PageNode {
  id: string;
  /** In words, for who cannot see the shape: "and 12". */
  words: string;
  cut: boolean;
  /** There is a place in the text to go to. */
  placed: boolean;
}

export interface PageValues {
  /** Which step it is, in words. */
  at: string;
  /** By node: 0, 1, x or nothing. */
  values: string[];
  causes: boolean[];
}

export type ToPage =
  | { type: 'picture'; title: string; dot: string; errors: number; nodes: PageNode[]; values: PageValues | null }
  /** The text has changed since. */
  | { type: 'old' }
  /** The nodes at the cursor of the text. */
  | { type: 'select'; nodes: number[] }
  | { type: 'nothing'; message: string };

export type FromPage =
  | { type: 'ready' }
  | { type: 'go'; node: number; focus: boolean }
  | { type: 'expand'; node: number }
  | { type: 'renew' }
  /** The page cannot draw it. */
  | { type: 'failed'; message: string };
