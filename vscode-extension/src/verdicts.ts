// A verdict as people read it, where nothing is clicked.
import type { PropertyStatus } from './protocol';

/** The words of the lens; those of one that offers a check are for a click. */
export function textOf({ text, verdict, freshness }: PropertyStatus): string {
  return verdict === 'none' && (freshness === 'fresh' || freshness === 'stale') ? 'not checked' : text;
}
