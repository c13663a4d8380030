// Graphviz as a script of its own, which pages with pictures load before theirs: the package holds it once.
import { Graphviz } from '@hpcc-js/wasm-graphviz';

export const loaded = Graphviz.load();
