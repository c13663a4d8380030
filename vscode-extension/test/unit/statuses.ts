// Statuses as the server sends them.
import type { PropertyStatus, Standing, StatusParams, Verdict } from '../../src/protocol';

export const uri = 'file:///circuits/counter.aag';

/** What a verdict means of a property that is neither lemma nor cover. */
export function standingOf(verdict: Verdict): Standing {
  return verdict === 'proved' ? 'passed' : verdict === 'refuted' ? 'failed' : 'open';
}

/** The property bad:INDEX on line INDEX + 10. */
export function bad(index: number, own: Partial<PropertyStatus> = {}): PropertyStatus {
  const line = index + 10;
  const { verdict = 'none', freshness = 'fresh' } = own;
  const words = freshness === 'queued' ? 'queued' : freshness === 'running' ? 'checking · depth 3' : verdict === 'none' ? 'check' : verdict;
  return {
    property: `bad:${index}`,
    name: `bad ${index}`,
    range: { start: { line, character: 0 }, end: { line, character: 2 } },
    verdict,
    standing: standingOf(verdict),
    freshness,
    text: freshness === 'stale' ? `stale · ${words}` : words,
    message: verdict === 'none' ? '' : `bad ${index} is ${verdict}`,
    ...own,
  };
}

export function whole(properties: PropertyStatus[], version: number | null = 1, of = uri): StatusParams {
  return { uri: of, version, whole: true, properties };
}

export function delta(properties: PropertyStatus[], version: number | null = 1, of = uri): StatusParams {
  return { uri: of, version, whole: false, properties };
}
