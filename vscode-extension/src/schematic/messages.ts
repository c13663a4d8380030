// What the schematic panel and its page say to each other. Nodes go by their position.
import type { PropertyParams } from '../protocol';

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

/** What VS Code keeps of the panel while its window is closed: what was drawn, and its title. */
export interface Kept {
  about: PropertyParams;
  title: string;
}

export type ToPage =
  | { type: 'picture'; kept: Kept; title: string; dot: string; errors: number; nodes: PageNode[]; values: PageValues | null }
  /** The text has changed since, and what was drawn may have moved, or be gone. */
  | { type: 'old'; kept?: Kept }
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
